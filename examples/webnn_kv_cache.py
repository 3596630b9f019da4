"""A decoder whose cache stays on the device: WebNN tensors hold the keys and values of all steps so
far, in two sets used in turn. One graph serves every step, because the cache has a fixed capacity
and the length is an input of its own. The weights, and so the tokens, are those of
webnn_kv_cache.cpp.

    python webnn_kv_cache.py [--tokens N] [--engine NAME]
"""

import argparse
import time
from array import array

import webnn

VOCABULARY, WIDTH, HEADS, LAYERS, CAPACITY = 256, 256, 4, 2, 4096
DEPTH = WIDTH // HEADS
CACHES = [f"{kind}{layer}" for layer in range(LAYERS) for kind in ("keys", "values")]


class Weights:
    """Weights that any language can make again, so that all give the same tokens."""

    def __init__(self, builder: webnn.MLGraphBuilder) -> None:
        self.builder, self.state = builder, 1

    def make(self, rows: int, columns: int, scale: float) -> webnn.MLOperand:
        state, values = self.state, array("f", bytes(4 * rows * columns))
        for i in range(rows * columns):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            values[i] = ((state >> 8) / 16777216 - 0.5) * scale
        self.state = state
        return self.builder.constant(memoryview(values).cast("B").cast("f", (rows, columns)))


def integers(builder: webnn.MLGraphBuilder, count: int, shape: list[int]) -> webnn.MLOperand:
    return builder.constant(memoryview(array("i", range(count))).cast("B").cast("i", tuple(shape)))


def decoder(context: webnn.MLContext) -> webnn.MLGraph:
    """One step: a token and its place in, the next token and the caches with this step in them out."""
    b = context.create_graph_builder()
    w, scale = Weights(b), 2 / WIDTH**0.5

    def number(v: float) -> webnn.MLOperand:
        return b.constant(v, [], "float32")

    token, place = b.input("token", [1], "int32"), b.input("place", [1], "int32")
    written = b.lesser_or_equal(
        integers(b, CAPACITY, [CAPACITY]), place
    )  # which places of the cache hold something, this step included
    rows = b.concat(
        [integers(b, HEADS, [HEADS, 1]), b.expand(b.reshape(place, [1, 1]), [HEADS, 1])], 1
    )  # [head, place]
    outputs: dict[str, webnn.MLOperand] = {}
    x = b.add(
        b.gather(w.make(VOCABULARY, WIDTH, 2), token), b.gather(w.make(CAPACITY, WIDTH, 1), place)
    )
    for layer in range(LAYERS):
        n = b.layer_normalization(x)
        q = b.reshape(b.matmul(n, w.make(WIDTH, WIDTH, scale)), [HEADS, 1, DEPTH])
        cache = []
        for kind in ("keys", "values"):
            before = b.input(f"{kind}{layer}", [HEADS, CAPACITY, DEPTH], "float32")
            row = b.reshape(b.matmul(n, w.make(WIDTH, WIDTH, scale)), [HEADS, DEPTH])
            cache.append(b.scatter_nd(before, rows, row))
            outputs[f"{kind}{layer}_next"] = cache[-1]
        scores = b.mul(b.matmul(q, b.transpose(cache[0], [0, 2, 1])), number(DEPTH**-0.5))
        attended = b.matmul(b.softmax(b.where_(written, scores, number(-1e9)), 2), cache[1])
        x = b.add(x, b.matmul(b.reshape(attended, [1, WIDTH]), w.make(WIDTH, WIDTH, scale)))
        hidden = b.gelu(b.matmul(b.layer_normalization(x), w.make(WIDTH, 2 * WIDTH, scale)))
        x = b.add(x, b.matmul(hidden, w.make(2 * WIDTH, WIDTH, scale)))
    logits = b.matmul(b.layer_normalization(x), w.make(WIDTH, VOCABULARY, scale))
    outputs["next"] = b.reshape(b.arg_max(logits, 1, output_data_type="int32"), [1])
    return b.build(outputs)


class Generator:
    def __init__(self, context: webnn.MLContext, graph: webnn.MLGraph, on_device: bool) -> None:
        self.context, self.graph = context, graph
        self.place = context.create_host_tensor([1], "int32")
        self.token = [context.create_host_tensor([1], "int32") for _ in range(2)]
        shape = [HEADS, CAPACITY, DEPTH]
        make = context.create_tensor if on_device else context.create_host_tensor
        self.cache = [
            [make(shape, "float32") for _ in CACHES] for _ in range(2)
        ]  # two sets: one is read, the other written

    def step(self, at: int) -> None:
        read, written = at % 2, 1 - at % 2
        self.context.write_tensor(self.place, array("i", [at]))
        inputs = {
            "token": self.token[read],
            "place": self.place,
            **dict(zip(CACHES, self.cache[read])),
        }
        self.context.dispatch(
            self.graph,
            inputs,
            {
                "next": self.token[written],
                **{f"{n}_next": t for n, t in zip(CACHES, self.cache[written])},
            },
        )

    def run(self, first: int, count: int) -> list[int]:
        """The caches stay where they are."""
        self.context.write_tensor(self.token[0], array("i", [first]))
        tokens = []
        for at in range(count):
            self.step(at)
            tokens.append(int(self.context.read_tensor(self.token[1 - at % 2])[0]))
        return tokens

    def run_with_copies(self, first: int, count: int) -> list[int]:
        """The caches are fetched after each step and handed back for the next one, as programs
        without device tensors do."""
        host = [self.context.read_tensor(t) for t in self.cache[0]]
        tokens = [first]
        for at in range(count):
            read, written = at % 2, 1 - at % 2
            self.context.write_tensor(self.token[read], array("i", [tokens[-1]]))
            for tensor, values in zip(self.cache[read], host):
                self.context.write_tensor(tensor, values)
            self.step(at)
            tokens.append(int(self.context.read_tensor(self.token[written])[0]))
            host = [self.context.read_tensor(t) for t in self.cache[written]]
        return tokens[1:]


def main() -> None:
    parser = argparse.ArgumentParser(
        description="A decoder with its cache in device-resident tensors"
    )
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--engine", default="native")
    args = parser.parse_args()
    context = webnn.ML().create_context(engine=args.engine)
    graph = decoder(context)

    def timed(on_device: bool) -> tuple[float, list[int]]:
        generator = Generator(context, graph, on_device)
        run = generator.run if on_device else generator.run_with_copies
        run(7, 1)  # memory and threads are there before the clock starts
        start = time.perf_counter()
        tokens = run(7, args.tokens)
        return (time.perf_counter() - start) * 1000 / args.tokens, tokens

    with_copies, host = timed(False)
    resident, device = timed(True)
    print("tokens:", *device[:12], "...")
    print(
        f"cache: {LAYERS * 2 * WIDTH * CAPACITY * 4 / 1e6:.1f} MB in {LAYERS * 2} tensors, capacity {CAPACITY} steps"
    )
    print(
        f"{resident:.2f} ms a token with the cache on the device, {with_copies:.2f} ms with copies on the host: {with_copies / resident:.2f}x"
    )
    assert device == host, "the tokens differ"


if __name__ == "__main__":
    main()
