"""Computes logits.npy: MobileNetV2's logits in float64, by NumPy alone.

    python reference.py FOLDER    # the folder with the weights and photo_input.npy: `make models` fetches it

The rows are the photo, the photo mirrored, the photo upside down.
"""
import pathlib
import sys

import numpy as np

# (expansion, output channels, stride, indices of the expansion, depthwise and projection
# convolutions)
BLOCKS = [
    (1, 16, 1, (None, 2, 4)),
    (6, 24, 2, (5, 7, 9)), (6, 24, 1, (10, 12, 14)),
    (6, 32, 2, (16, 18, 20)), (6, 32, 1, (21, 23, 25)), (6, 32, 1, (27, 29, 31)),
    (6, 64, 2, (33, 35, 37)), (6, 64, 1, (38, 40, 42)), (6, 64, 1, (44, 46, 48)),
    (6, 64, 1, (50, 52, 54)),
    (6, 96, 1, (56, 58, 60)), (6, 96, 1, (61, 63, 65)), (6, 96, 1, (67, 69, 71)),
    (6, 160, 2, (73, 75, 77)), (6, 160, 1, (78, 80, 82)), (6, 160, 1, (84, 86, 88)),
    (6, 320, 1, (90, 92, 94)),
]


def windows(x, stride):
    """The 3x3 windows of images padded by one: [batch, channels, height, width, 3, 3]."""
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    view = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    return view[:, :, ::stride, ::stride]


def logits(folder, x):
    def weights(name):
        return (np.load(folder / f"{name}_{part}.npy").astype(np.float64) for part in ("weight", "bias"))

    def conv(x, index, stride=1):
        w, b = weights(f"conv_{index}")
        if w.shape[1] == 1:  # depthwise
            y = np.einsum("nchwij,cij->nchw", windows(x, stride), w[:, 0])
        elif w.shape[2:] == (3, 3):
            y = np.einsum("nchwij,ocij->nohw", windows(x, stride), w, optimize=True)
        else:
            y = np.einsum("nchw,oc->nohw", x, w[:, :, 0, 0], optimize=True)
        return y + b[:, None, None]

    def relu6(x):
        return np.clip(x, 0, 6)

    x = relu6(conv(x, 0, 2))
    for expansion, channels, stride, (expand, depthwise, project) in BLOCKS:
        y = relu6(conv(x, expand)) if expansion > 1 else x
        y = conv(relu6(conv(y, depthwise, stride)), project)
        x = x + y if stride == 1 and x.shape[1] == channels else y
    x = relu6(conv(x, 95)).mean((2, 3))
    w, b = weights("gemm_104")
    return x @ w.T + b


if __name__ == "__main__":
    models = pathlib.Path(sys.argv[1])
    photo = np.load(models / "photo_input.npy").astype(np.float64)
    images = np.concatenate([photo, photo[..., ::-1], photo[..., ::-1, :]])
    np.save(pathlib.Path(__file__).with_name("logits.npy"), logits(models, images))
