"""MobileNetV2 looks at a photo: built with WebNN's operators, saved to a file, loaded again and
run."""

import argparse
import os
import tempfile
import time
from pathlib import Path

import ember_ml as em
import webnn
from webnn import MLOperand


def build(context: webnn.MLContext, folder: Path) -> webnn.MLGraph:
    """Images [1, 3, 224, 224] to chances [1, 1000].

    Batch normalization is folded into the convolutions.
    """
    b = context.create_graph_builder()
    # files carry the number of their node in the graph, where a clamp and an addition count as well
    node = 0

    def conv(x: MLOperand, stride: int = 1, clamp: bool = True) -> MLOperand:
        nonlocal node
        weight, bias = (
            b.constant(em.load(folder / f"conv_{node}_{kind}.npy")) for kind in ("weight", "bias")
        )
        node += 2 if clamp else 1
        filters, per_group, size = weight.shape[:3]
        groups = filters if per_group == 1 else 1  # depthwise: a filter per channel
        y = b.conv2d(
            x, weight, strides=[stride] * 2, pads=[size // 2] * 4, groups=groups, bias=bias
        )
        return b.clamp(y, 0, 6) if clamp else y

    x = conv(b.input("image", [1, 3, 224, 224], "float32"), 2)
    for expansion, channels, count, stride in [
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ]:
        for i in range(count):
            wide = conv(x) if expansion > 1 else x
            y = conv(conv(wide, stride if i == 0 else 1), clamp=False)
            if y.shape == x.shape:
                y, node = b.add(x, y), node + 1
            x = y
    x = b.reshape(b.average_pool2d(conv(x)), [1, 1280])
    weight, bias = (
        b.constant(em.load(folder / f"gemm_104_{kind}.npy")) for kind in ("weight", "bias")
    )
    return b.build({"chances": b.softmax(b.gemm(x, weight, bias, b_transpose=True), axis=1)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path(os.environ.get("EMBER_MODELS", "build/models")) / "mobilenetv2",
    )
    parser.add_argument(
        "--engine", default="native", help="one of Ember's backends (default: native)"
    )
    given = parser.parse_args()
    if not (given.folder / "conv_0_weight.npy").exists():
        print("no weights of MobileNetV2 found: `make models` fetches them")
        return

    context = webnn.ML().create_context(engine=given.engine)
    with tempfile.TemporaryDirectory() as place:
        build(context, given.folder).save(Path(place) / "mobilenet.webnn")
        graph = webnn.MLGraph.load(Path(place) / "mobilenet.webnn", context=context)
    image, chances = (
        context.create_tensor([1, 3, 224, 224], "float32", writable=True),
        context.create_tensor([1, 1000], "float32", readable=True),
    )
    context.write_tensor(image, em.load(given.folder / "photo_input.npy"))
    context.dispatch(graph, {"image": image}, {"chances": chances})
    labels = (given.folder / "imagenet_classes.txt").read_text().splitlines()
    best = sorted(zip(context.read_tensor(chances).tolist()[0], labels), reverse=True)[:5]
    for chance, label in best:
        print(f"{chance:8.3%}  {label}")

    times = []
    for _ in range(5):
        start = time.perf_counter()
        context.dispatch(graph, {"image": image}, {"chances": chances})
        context.read_tensor(chances)
        times.append(time.perf_counter() - start)
    print(f"{min(times) * 1000:.1f} ms for an image on {given.engine}")


if __name__ == "__main__":
    main()
