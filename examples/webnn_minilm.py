"""How alike are sentences? The sentence encoder all-MiniLM-L6-v2, built with WebNN's operators."""

import argparse
import os
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import ember_ml as em
import webnn
from webnn import MLOperand

WIDTH, HEADS, LAYERS = 384, 12, 6


class WordPiece:
    """Text to the numbers of a vocabulary, as uncased BERT has it."""

    def __init__(self, path: Path) -> None:
        self.ids = {
            piece: i for i, piece in enumerate(path.read_text(encoding="utf-8").splitlines())
        }

    def words(self, text: str) -> list[str]:
        spaced = ""
        for c in text:
            kind = unicodedata.category(c)
            if kind == "Zs" or c in "\t\r\n":
                spaced += " "
            elif kind[0] != "C" and c != "\ufffd":
                spaced += f" {c} " if "CJK UNIFIED" in unicodedata.name(c, "") else c
        out = ""
        for c in unicodedata.normalize("NFD", spaced.lower()):
            kind = unicodedata.category(c)
            if kind != "Mn":
                out += f" {c} " if kind[0] == "P" or c in "$+<=>^`|~" else c
        return out.split()

    def encode(self, text: str, longest: int = 256) -> list[int]:
        """[CLS], the longest pieces of each word, [SEP]; a longer text is cut."""
        out = [self.ids["[CLS]"]]
        for word in self.words(text):
            pieces, at = list[int](), 0
            while at < len(word):
                end = next(
                    (
                        e
                        for e in range(len(word), at, -1)
                        if ("##" if at else "") + word[at:e] in self.ids
                    ),
                    None,
                )
                if end is None or len(word) > 100:
                    pieces = [self.ids["[UNK]"]]
                    break
                pieces.append(self.ids[("##" if at else "") + word[at:end]])
                at = end
            out += pieces
        return [*out[: longest - 1], self.ids["[SEP]"]]


def build(context: webnn.MLContext, folder: Path, n: int, length: int) -> webnn.MLGraph:
    """ids and mask [n, length], the mask 1 for words and 0 for what fills up; vectors [n, 384] of
    length 1."""
    b = context.create_graph_builder()
    weights = em.load(folder / "model.safetensors")

    def constant(name: str) -> MLOperand:
        return b.constant(weights[name])

    def number(value: float) -> MLOperand:
        return b.constant(value, [], "float32")

    def dense(x: MLOperand, name: str) -> MLOperand:
        return b.add(b.matmul(x, b.transpose(constant(name + ".weight"))), constant(name + ".bias"))

    def norm(x: MLOperand, name: str) -> MLOperand:
        return b.layer_normalization(
            x, constant(name + ".weight"), constant(name + ".bias"), epsilon=1e-12, axes=[2]
        )

    def heads(x: MLOperand, permutation: Sequence[int]) -> MLOperand:
        return b.transpose(b.reshape(x, [n, length, HEADS, WIDTH // HEADS]), permutation)

    ids, mask = b.input("ids", [n, length], "int32"), b.input("mask", [n, length], "float32")
    words = b.gather(constant("embeddings.word_embeddings.weight"), ids)
    places = b.slice(constant("embeddings.position_embeddings.weight"), [0, 0], [length, WIDTH])
    types = b.slice(
        constant("embeddings.token_type_embeddings.weight"), [0, 0], [1, WIDTH]
    )  # all of one sentence: type 0
    x = norm(b.add(b.add(words, places), types), "embeddings.LayerNorm")
    unseen = b.mul(
        b.sub(b.reshape(mask, [n, 1, 1, length]), number(1.0)), number(1e9)
    )  # 0 for words, -1e9 for the rest
    for layer in (f"encoder.layer.{i}." for i in range(LAYERS)):
        query, key, value = (
            dense(x, f"{layer}attention.self.{part}") for part in ("query", "key", "value")
        )
        scores = b.mul(
            b.matmul(heads(query, [0, 2, 1, 3]), heads(key, [0, 2, 3, 1])),
            number((WIDTH / HEADS) ** -0.5),
        )
        seen = b.matmul(b.softmax(b.add(scores, unseen), axis=3), heads(value, [0, 2, 1, 3]))
        seen = b.reshape(b.transpose(seen, [0, 2, 1, 3]), [n, length, WIDTH])
        x = norm(
            b.add(dense(seen, layer + "attention.output.dense"), x),
            layer + "attention.output.LayerNorm",
        )
        inner = b.gelu(dense(x, layer + "intermediate.dense"))
        x = norm(b.add(dense(inner, layer + "output.dense"), x), layer + "output.LayerNorm")
    weight = b.reshape(mask, [n, length, 1])
    mean = b.div(b.reduce_sum(b.mul(x, weight), axes=[1]), b.reduce_sum(weight, axes=[1]))
    return b.build(
        {
            "vectors": b.div(
                mean, b.max(b.reduce_l2(mean, axes=[1], keep_dimensions=True), number(1e-12))
            )
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sentences",
        nargs="*",
        default=[
            "A cat sits on the window sill.",
            "The kitten is resting by the window.",
            "Stock prices fell sharply on Monday.",
            "Markets dropped at the start of the week.",
            "How do I bake a sourdough loaf?",
        ],
    )
    parser.add_argument(
        "--engine", default="native", help="one of Ember's backends (default: native)"
    )
    parser.add_argument(
        "--model",
        type=Path,
        default=Path(os.environ.get("EMBER_MODELS", "build/models")) / "minilm",
    )
    parser.add_argument("--vectors", action="store_true", help="print the vectors instead")
    given = parser.parse_args()
    if not (given.model / "model.safetensors").exists():
        print("all-MiniLM-L6-v2 is not here: `make models` fetches it")
        return

    rows = [WordPiece(given.model / "vocab.txt").encode(s) for s in given.sentences]
    n, length = len(rows), max(map(len, rows))
    ids = [row + [0] * (length - len(row)) for row in rows]
    mask = [[1] * len(row) + [0] * (length - len(row)) for row in rows]
    context = webnn.ML().create_context(engine=given.engine)
    graph = build(context, given.model, n, length)
    vectors = em.asarray(context.compute(graph, {"ids": ids, "mask": mask})["vectors"])
    if given.vectors:
        for row in vectors.tolist():
            print(*(f"{v:.7f}" for v in row))
        return
    for sentence, row in zip(given.sentences, (vectors @ vectors.T).tolist()):
        print(*(f"{v:6.3f}" for v in row), "", sentence)
    start = time.perf_counter()
    context.compute(graph, {"ids": ids, "mask": mask})
    print(f"{(time.perf_counter() - start) * 1000:.1f} ms for {n} sentences on {given.engine}")


if __name__ == "__main__":
    main()
