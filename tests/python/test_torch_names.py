"""torch's functions, methods and forms of calls that are not ops, compared with NumPy or torch's
documented formulas."""

import math
import pickle

import numpy as np
import pytest

import ember_ml as em
from ember_ml import nn

F = nn.functional
RNG = np.random.default_rng(3)
V, M, N, C = (
    RNG.normal(size=6),
    RNG.normal(size=(3, 4)),
    RNG.normal(size=(3, 4)),
    RNG.normal(size=(2, 3, 4)),
)
P = RNG.random((3, 4))
I = RNG.integers(0, 4, size=(3, 4))


def t(a):
    return em.asarray(a)


def same(ours, theirs, tol=1e-9):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for o, w in zip(ours, theirs):
            same(o, w, tol)
        return
    theirs = np.asarray(theirs)
    assert isinstance(ours, em.EmberTensor) and ours.shape == theirs.shape, (
        getattr(ours, "shape", ours),
        theirs.shape,
    )
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=tol, atol=tol)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


CASES = {
    "cat": lambda: (em.cat([t(M), t(N)], dim=1), np.concatenate([M, N], 1)),
    "chunk": lambda: (em.chunk(t(V), 4), [V[:2], V[2:4], V[4:]]),
    "chunk of a dim": lambda: (t(M).chunk(2, dim=1), [M[:, :2], M[:, 2:]]),
    "unbind": lambda: (em.unbind(t(M), dim=1), list(M.T)),
    "tensor_split": lambda: (em.tensor_split(t(V), 4), np.array_split(V, 4)),
    "narrow": lambda: (t(M).narrow(1, 1, 2), M[:, 1:3]),
    "index_select": lambda: (em.index_select(t(M), 1, t(np.array([3, 0]))), M[:, [3, 0]]),
    "index_copy": lambda: (em.index_copy(t(M), 0, [2, 0], t(N[:2])), np.stack([N[1], M[1], N[0]])),
    "index_fill": lambda: (
        t(M).index_fill(1, t(np.array([0])), 7.0),
        np.concatenate([np.full((3, 1), 7), M[:, 1:]], 1),
    ),
    "gather": lambda: (t(M).gather(1, t(I)), np.take_along_axis(M, I, 1)),
    "gather by words": lambda: (em.gather(t(M), dim=1, index=t(I)), np.take_along_axis(M, I, 1)),
    "scatter": lambda: (
        t(M).scatter(1, t(I[:, :1]), 9.0 * em.ones((3, 1))),
        np.where(np.arange(4) == I[:, :1], 9.0, M),
    ),
    "scatter value": lambda: (
        t(M).scatter(1, t(I[:, :1]), value=9),
        np.where(np.arange(4) == I[:, :1], 9.0, M),
    ),
    "scatter_add": lambda: (
        em.zeros((3, 4), dtype="float64").scatter_add(1, t(I), t(M)),
        np.stack([np.bincount(i, m, 4) for i, m in zip(I, M)]),
    ),
    "scatter_reduce": lambda: (
        t(M).scatter_reduce(1, t(I[:, :1]), t(N[:, :1]), "amax"),
        np.where(np.arange(4) == I[:, :1], np.maximum(M, N[:, :1]), M),
    ),
    "index_add": lambda: (
        t(M).index_add(0, t(np.array([0, 0])), t(N[:2])),
        np.stack([M[0] + N[0] + N[1], M[1], M[2]]),
    ),
    "masked_scatter": lambda: (
        t(M).masked_scatter(t(M > 0), t(np.arange(12.0))),
        np.where(M > 0, (np.cumsum(M > 0) - 1).reshape(3, 4), M),
    ),
    "bucketize": lambda: (
        em.bucketize(t(np.array([1.0, 2.0, 3.0, 9.0])), t(np.array([1.0, 3.0, 5.0]))),
        [0, 1, 1, 3],
    ),
    "bucketize right": lambda: (
        em.bucketize(t(np.array([1.0, 2.0, 3.0, 9.0])), t(np.array([1.0, 3.0, 5.0])), right=True),
        [1, 1, 2, 3],
    ),
    "histc": lambda: (em.histc(t(np.array([1.0, 2.0, 1.0])), bins=4, min=0, max=3), [0, 2, 1, 0]),
    "histc of the data": lambda: (em.histc(t(V), 3), np.histogram(V, 3)[0].astype(float)),
    "flatten": lambda: (t(C).flatten(1), C.reshape(2, 12)),
    "flatten two": lambda: (em.flatten(t(C), 0, 1), C.reshape(6, 4)),
    "flatten by words": lambda: (t(C).flatten(start_dim=1), C.reshape(2, 12)),
    "transpose": lambda: (t(C).transpose(0, 2), np.swapaxes(C, 0, 2)),
    "transpose from behind": lambda: (t(C).transpose(-1, -2), np.swapaxes(C, 1, 2)),
    "transpose by words": lambda: (em.transpose(t(C), dim0=0, dim1=1), np.swapaxes(C, 0, 1)),
    "permute": lambda: (t(C).permute(2, 0, 1), C.transpose(2, 0, 1)),
    "permute by words": lambda: (em.permute(t(C), dims=(2, 0, 1)), C.transpose(2, 0, 1)),
    "view": lambda: (t(C).view(6, -1), C.reshape(6, 4)),
    "view_as": lambda: (t(M).view_as(t(M.T)), M.reshape(4, 3)),
    "expand": lambda: (t(M[:1]).expand(5, -1), np.broadcast_to(M[:1], (5, 4))),
    "expand in front": lambda: (t(V).expand(2, 3, -1), np.broadcast_to(V, (2, 3, 6))),
    "expand_as": lambda: (t(M[:1]).expand_as(t(N)), np.broadcast_to(M[:1], (3, 4))),
    "unsqueeze": lambda: (t(M).unsqueeze(-1), M[..., None]),
    "t": lambda: (t(M).t(), M.T),
    "t of a vector": lambda: (em.t(t(V)), V),
    "H": lambda: (t(M + 1j * N).H, (M - 1j * N).T),
    "movedim": lambda: (em.movedim(t(C), 0, 2), np.moveaxis(C, 0, 2)),
    "diag_embed": lambda: (em.diag_embed(t(M)), np.stack([np.diag(m) for m in M])),
    "diag_embed above": lambda: (
        em.diag_embed(t(M), offset=1),
        np.stack([np.diag(m, 1) for m in M]),
    ),
    "diag_embed below": lambda: (
        em.diag_embed(t(M), -2, 0, 2),
        np.moveaxis(np.stack([np.diag(m, -2) for m in M]), (1, 2), (0, 2)),
    ),
    "block_diag": lambda: (
        em.block_diag(t(M), t(N[:1])),
        np.block([[M, np.zeros((3, 4))], [np.zeros((1, 4)), N[:1]]]),
    ),
    "cartesian_prod": lambda: (
        em.cartesian_prod(t(V[:2]), t(V[:3])),
        [[a, b] for a in V[:2] for b in V[:3]],
    ),
    "combinations": lambda: (em.combinations(t(V[:3]), 2), V[[[0, 1], [0, 2], [1, 2]]]),
    "kthvalue": lambda: (em.kthvalue(t(M), 2), (np.sort(M, 1)[:, 1], np.argsort(M, 1)[:, 1])),
    "kthvalue keepdim": lambda: (
        t(M).kthvalue(1, 0, True),
        (M.min(0, keepdims=True), M.argmin(0, keepdims=True)),
    ),
    "mode": lambda: (em.mode(t(np.array([[3, 1, 3, 1, 2], [5, 4, 4, 9, 9]]))), ([1, 4], [3, 2])),
    "aminmax": lambda: (em.aminmax(t(M), dim=1), (M.min(1), M.max(1))),
    "std_mean": lambda: (em.std_mean(t(M), 1), (M.std(1, ddof=1), M.mean(1))),
    "var_mean": lambda: (em.var_mean(t(M), correction=0), (M.var(), M.mean())),
    "std unbiased": lambda: (t(M).std(dim=1, unbiased=True), M.std(1, ddof=1)),
    "var correction": lambda: (em.var(t(M), dim=1, correction=1), M.var(1, ddof=1)),
    "max of two": lambda: (em.max(t(M), t(N)), np.maximum(M, N)),
    "min other": lambda: (t(M).min(other=t(N)), np.minimum(M, N)),
    "max of a dim": lambda: (t(M).max(dim=1), (M.max(1), M.argmax(1))),
    "min of a dim": lambda: (
        em.min(t(M), dim=0, keepdim=True),
        (M.min(0, keepdims=True), M.argmin(0, keepdims=True)),
    ),
    "amax": lambda: (t(M).amax(dim=1), M.max(1)),
    "sort of a dim": lambda: (
        em.sort(t(M), dim=1, descending=True),
        (-np.sort(-M, 1), np.argsort(-M, 1)),
    ),
    "median of a dim": lambda: (t(M).median(dim=1), (np.sort(M, 1)[:, 1], np.argsort(M, 1)[:, 1])),
    "split by length": lambda: (t(V).split(4, dim=0), [V[:4], V[4:]]),
    "split by lengths": lambda: (em.split(t(M), [1, 3], dim=1), [M[:, :1], M[:, 1:]]),
    "split by a tensor": lambda: (em.split(t(V), t(np.array([2, 5]))), [V[:2], V[2:5], V[5:]]),
    "unflatten": lambda: (em.unflatten(t(M), 1, (2, -1)), M.reshape(3, 2, 2)),
    "zeros": lambda: (em.zeros(2, 3, dtype="float64"), np.zeros((2, 3))),
    "ones": lambda: (em.ones(1, 2, 3, device="cpu"), np.ones((1, 2, 3))),
    "size": lambda: (
        em.asarray([t(C).size(), t(C).size(0), t(C).size(-1), t(C).size][1:]),
        [2, 4, 24],
    ),
    "unfold of a tensor": lambda: (t(V).unfold(0, 3, 2), np.stack([V[:3], V[2:5]])),
    "flat": lambda: (t(C).flat, C.ravel()),
    "inverse": lambda: (em.inverse(t(np.eye(2) * 2)), np.eye(2) / 2),
    "unique_consecutive": lambda: (
        em.unique_consecutive(t(np.array([1, 1, 2, 2, 3, 1])), True, True),
        ([1, 2, 3, 1], [0, 0, 1, 1, 2, 3], [2, 2, 1, 1]),
    ),
    "nonzero": lambda: (em.nonzero(t(M > 0), as_tuple=False), np.argwhere(M > 0)),
    "frac": lambda: (em.frac(t(M * 5)), M * 5 - np.trunc(M * 5)),
    "xlogy": lambda: (
        em.xlogy(t(np.array([0.0, 0.0, 2.0])), t(np.array([0.0, 3.0, 3.0]))),
        [0, 0, 2 * math.log(3)],
    ),
    "logit": lambda: (em.logit(t(P)), np.log(P / (1 - P))),
    "logit eps": lambda: (em.logit(t(np.array([0.0, 1.0])), eps=0.25), [-math.log(3), math.log(3)]),
    "entr": lambda: (
        em.special.entr(t(np.array([0.0, 0.5, -1.0]))),
        [0, 0.5 * math.log(2), -np.inf],
    ),
    "add alpha": lambda: (em.add(t(M), t(N), alpha=2), M + 2 * N),
    "sub alpha": lambda: (t(M).sub(t(N), alpha=0.5), M - 0.5 * N),
    "addmm": lambda: (
        em.addmm(t(M[:, :3]), t(M), t(N.T), beta=2, alpha=3),
        2 * M[:, :3] + 3 * M @ N.T,
    ),
    "baddbmm": lambda: (
        em.baddbmm(t(C[:, :, :3]), t(C), t(np.swapaxes(C, 1, 2))),
        C[:, :, :3] + C @ np.swapaxes(C, 1, 2),
    ),
    "addcmul": lambda: (t(M).addcmul(t(N), t(P), value=2), M + 2 * N * P),
    "addcdiv": lambda: (t(M).addcdiv(t(N), t(P), value=2), M + 2 * N / P),
    "cdist": lambda: (em.cdist(t(M), t(N)), np.sqrt(((M[:, None] - N[None]) ** 2).sum(-1))),
    "cdist 1": lambda: (em.cdist(t(M), t(N), p=1), np.abs(M[:, None] - N[None]).sum(-1)),
    "dist": lambda: (em.dist(t(M), t(N)), np.linalg.norm((M - N).ravel())),
    "logdet": lambda: (
        em.logdet(t(M[:, :3] @ M[:, :3].T)),
        np.log(np.linalg.det(M[:, :3] @ M[:, :3].T)),
    ),
    "cumulative_trapezoid": lambda: (
        em.cumulative_trapezoid(t(V)),
        np.cumsum((V[1:] + V[:-1]) / 2),
    ),
    "polar": lambda: (em.polar(t(P), t(M)), P * np.exp(1j * M)),
    "view_as_real": lambda: (em.view_as_real(t(M + 1j * N)), np.stack([M, N], -1)),
    "view_as_complex": lambda: (em.view_as_complex(t(np.stack([M, N], -1))), M + 1j * N),
    "where method": lambda: (t(M).where(t(M > 0), t(N)), np.where(M > 0, M, N)),
    "eq": lambda: (t(I).eq(2), I == 2),
    "clamp": lambda: (t(M).clamp(min=-0.5, max=0.5), np.clip(M, -0.5, 0.5)),
    "triu": lambda: (em.triu(t(M), diagonal=1), np.triu(M, 1)),
    "roll": lambda: (em.roll(t(M), shifts=1, dims=1), np.roll(M, 1, 1)),
    "flip": lambda: (em.flip(t(M), dims=(0, 1)), M[::-1, ::-1]),
    "tile": lambda: (em.tile(t(V), dims=(2,)), np.tile(V, 2)),
    "repeat_interleave": lambda: (em.repeat_interleave(t(M), 2, dim=1), np.repeat(M, 2, 1)),
    "softmax": lambda: (F.softmax(t(M), dim=0), softmax(M, 0)),
    "softmin": lambda: (F.softmin(t(M), dim=1), softmax(-M, 1)),
    "normalize": lambda: (F.normalize(t(M)), M / np.linalg.norm(M, axis=1, keepdims=True)),
    "normalize 1": lambda: (F.normalize(t(C), p=1, dim=2), C / np.abs(C).sum(2, keepdims=True)),
    "cosine_similarity": lambda: (
        F.cosine_similarity(t(M), t(N)),
        (M * N).sum(1) / np.linalg.norm(M, axis=1) / np.linalg.norm(N, axis=1),
    ),
    "pairwise_distance": lambda: (
        F.pairwise_distance(t(M), t(N)),
        np.linalg.norm(M - N + 1e-6, axis=1),
    ),
    "bilinear": lambda: (
        F.bilinear(t(M), t(M[:, :2]), t(RNG.normal(size=(5, 4, 2)) * 0 + 1), t(np.ones(5))),
        np.outer(M.sum(1) * M[:, :2].sum(1), np.ones(5)) + 1,
    ),
    "hardsigmoid": lambda: (F.hardsigmoid(t(M * 4)), np.clip(M * 4 + 3, 0, 6) / 6),
    "leaky_relu": lambda: (F.leaky_relu(t(M), negative_slope=0.3), np.where(M > 0, M, 0.3 * M)),
    "pad": lambda: (F.pad(t(M), (1, 2)), np.pad(M, ((0, 0), (1, 2)))),
    "pad two axes": lambda: (
        F.pad(t(C), (1, 0, 0, 2), value=5),
        np.pad(C, ((0, 0), (0, 2), (1, 0)), constant_values=5),
    ),
    "pad cuts": lambda: (F.pad(t(M), (-1, 1)), np.pad(M[:, 1:], ((0, 0), (0, 1)))),
    "pad reflect": lambda: (
        F.pad(t(C), (2, 1), mode="reflect"),
        np.pad(C, ((0, 0), (0, 0), (2, 1)), mode="reflect"),
    ),
    "pad replicate": lambda: (
        F.pad(t(C), (2, 1), mode="replicate"),
        np.pad(C, ((0, 0), (0, 0), (2, 1)), mode="edge"),
    ),
    "pad circular": lambda: (
        F.pad(t(C), (2, 1), mode="circular"),
        np.pad(C, ((0, 0), (0, 0), (2, 1)), mode="wrap"),
    ),
    "avg_pool2d": lambda: (
        F.avg_pool2d(t(np.ones((1, 1, 2, 2))), 2, padding=1),
        np.full((1, 1, 2, 2), 0.25),
    ),
    "avg_pool2d without the padding": lambda: (
        F.avg_pool2d(t(np.ones((1, 1, 2, 2))), 2, padding=1, count_include_pad=False),
        np.ones((1, 1, 2, 2)),
    ),
    "adaptive_avg_pool2d": lambda: (
        F.adaptive_avg_pool2d(t(C[None]), (None, 2)),
        C[None].reshape(1, 2, 3, 2, 2).mean(-1),
    ),
    "unfold": lambda: (
        F.unfold(t(np.arange(9.0).reshape(1, 1, 3, 3)), 2),
        np.array([[[0, 1, 3, 4], [1, 2, 4, 5], [3, 4, 6, 7], [4, 5, 7, 8]]], dtype=float),
    ),
    "fold": lambda: (
        F.fold(F.unfold(t(np.ones((1, 2, 4, 4))), 3, padding=1), (4, 4), 3, padding=1)[0, 0],
        np.outer([2, 3, 3, 2], [2, 3, 3, 2]).astype(float),
    ),
    "fold with steps": lambda: (
        F.fold(F.unfold(t(C[None]), (1, 2), stride=(1, 2)), (3, 4), (1, 2), stride=(1, 2)),
        C[None],
    ),
    "affine_grid": lambda: (
        F.grid_sample(
            t(C[None]), F.affine_grid(t(np.array([[[1.0, 0, 0], [0, 1, 0]]])), (1, 2, 3, 4))
        ),
        C[None],
    ),
    "interpolate": lambda: (
        F.interpolate(t(np.arange(3.0).reshape(1, 1, 3)), size=5),
        np.array([[[0, 0, 1, 1, 2]]], dtype=float),
    ),
    "interpolate by a factor": lambda: (
        F.interpolate(t(C[None]), scale_factor=2),
        np.repeat(np.repeat(C[None], 2, 2), 2, 3),
    ),
    "interpolate bilinear": lambda: (
        F.interpolate(t(np.array([[[[0.0, 2.0]]]])), scale_factor=(1, 2), mode="bilinear"),
        np.array([[[[0, 0.5, 1.5, 2]]]]),
    ),
    "interpolate with corners": lambda: (
        F.interpolate(
            t(np.array([[[[0.0, 2.0]]]])), size=(1, 3), mode="bilinear", align_corners=True
        ),
        np.array([[[[0, 1, 2.0]]]]),
    ),
    "layer_norm": lambda: (
        F.layer_norm(t(M), (4,), t(P[0]), t(P[1]), 0.1),
        (M - M.mean(1, keepdims=True)) / np.sqrt(M.var(1, keepdims=True) + 0.1) * P[0] + P[1],
    ),
    "embedding": lambda: (F.embedding(t(I[0] % 3), t(M)), M[I[0] % 3]),
    "conv2d stride": lambda: (
        F.conv2d(t(np.ones((1, 1, 4, 4))), t(np.ones((1, 1, 2, 2))), stride=2),
        np.full((1, 1, 2, 2), 4.0),
    ),
    "conv2d same": lambda: (
        F.conv2d(t(np.ones((1, 1, 3, 3))), t(np.ones((1, 1, 3, 3))), padding="same")[0, 0],
        np.outer([2, 3, 2], [2, 3, 2]).astype(float),
    ),
    "conv1d valid": lambda: (
        em.conv1d(t(np.ones((1, 1, 4))), t(np.ones((1, 1, 3))), padding="valid"),
        np.full((1, 1, 2), 3.0),
    ),
    "max_pool2d": lambda: (
        F.max_pool2d(t(np.arange(16.0).reshape(1, 1, 4, 4)), 2, stride=2),
        np.array([[[[5, 7], [13, 15]]]], dtype=float),
    ),
    "nll_loss": lambda: (
        F.nll_loss(t(np.log(softmax(M))), t(I[:, 0])),
        -np.log(softmax(M))[np.arange(3), I[:, 0]].mean(),
    ),
    "nll_loss weighted": lambda: (
        F.nll_loss(t(np.log(softmax(M))), t(np.array([0, 2, 1])), t(V[:4] ** 2), ignore_index=2),
        -(np.log(softmax(M))[[0, 2], [0, 1]] * (V[:4] ** 2)[[0, 1]]).sum()
        / (V[:4] ** 2)[[0, 1]].sum(),
    ),
    "nll_loss of maps": lambda: (
        F.nll_loss(t(C), t(I[:2] % 3), reduction="none"),
        -np.take_along_axis(C, (I[:2] % 3)[:, None], 1)[:, 0],
    ),
    "cross_entropy": lambda: (
        F.cross_entropy(t(M), t(I[:, 0])),
        -np.log(softmax(M))[np.arange(3), I[:, 0]].mean(),
    ),
    "bce with logits": lambda: (
        F.binary_cross_entropy_with_logits(t(M), t(P), pos_weight=t(np.full(4, 3.0))),
        -(3 * P * np.log(1 / (1 + np.exp(-M))) + (1 - P) * np.log(1 / (1 + np.exp(M)))).mean(),
    ),
    "smooth_l1": lambda: (
        F.smooth_l1_loss(t(M), t(N), beta=0.5),
        np.where(np.abs(M - N) < 0.5, (M - N) ** 2, np.abs(M - N) - 0.25).mean(),
    ),
    "kl_div": lambda: (
        F.kl_div(t(M), t(P), reduction="batchmean"),
        (P * (np.log(P) - M)).sum() / 3,
    ),
    "kl_div of logarithms": lambda: (
        F.kl_div(t(M), t(N), log_target=True),
        (np.exp(N) * (N - M)).mean(),
    ),
    "margin_ranking": lambda: (
        F.margin_ranking_loss(t(V), t(V[::-1].copy()), t(np.ones(6)), margin=0.5),
        np.maximum(0, -(V - V[::-1]) + 0.5).mean(),
    ),
    "triplet": lambda: (
        F.triplet_margin_loss(t(M), t(N), t(P)),
        np.maximum(
            0, np.linalg.norm(M - N + 1e-6, axis=1) - np.linalg.norm(M - P + 1e-6, axis=1) + 1
        ).mean(),
    ),
    "gaussian_nll": lambda: (
        F.gaussian_nll_loss(t(M), t(N), t(P)),
        ((np.log(P) + (M - N) ** 2 / P) / 2).mean(),
    ),
    "poisson_nll": lambda: (
        F.poisson_nll_loss(t(M), t(I.astype(float)), full=True),
        (
            np.exp(M)
            - I * M
            + np.where(
                I > 1,
                I * np.log(np.maximum(I, 1)) - I + np.log(2 * np.pi * np.maximum(I, 1)) / 2,
                0,
            )
        ).mean(),
    ),
    "soft_margin": lambda: (
        F.soft_margin_loss(t(M), t(np.sign(N))),
        np.log1p(np.exp(-np.sign(N) * M)).mean(),
    ),
    "one_hot": lambda: (F.one_hot(t(np.array([0, 2]))), [[1, 0, 0], [0, 0, 1]]),
    "fast.sdpa": lambda: (
        em.fast.scaled_dot_product_attention(t(C[None]), t(C[None]), t(C[None]), scale=0.5),
        (softmax(0.5 * C @ np.swapaxes(C, 1, 2)) @ C)[None],
    ),
    "fast.rms_norm": lambda: (
        em.fast.rms_norm(t(M), t(P[0]), 1e-3),
        M / np.sqrt((M**2).mean(1, keepdims=True) + 1e-3) * P[0],
    ),
    "attention": lambda: (
        F.scaled_dot_product_attention(t(C), t(C), t(C), dropout_p=0.0),
        softmax(C @ np.swapaxes(C, 1, 2) / 2) @ C,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_function_gives_what_torchs_gives(engine, name):
    ours, theirs = CASES[name]()
    same(
        ours,
        theirs,
        2e-6
        if any(
            word in name
            for word in ("interpolate", "affine", "unfold", "fold", "one_hot", "logit eps")
        )
        else 1e-9,
    )


def test_dtypes_and_devices():
    x = t(M)
    for name, dtype in {
        "float": "float32",
        "double": "float64",
        "half": "float16",
        "long": "int64",
        "int": "int32",
        "short": "int16",
        "bool": "bool",
        "bfloat16": "bfloat16",
    }.items():
        assert (
            getattr(x, name)().dtype
            == x.to(getattr(em, name)).dtype
            == x.type(dtype).dtype
            == dtype
        )
    assert (
        x.to("cpu").dtype == "float64"
        and x.to("cpu", em.float32).dtype
        == x.to(dtype=em.float32).dtype
        == x.to(em.ones(1)).dtype
        == "float32"
    )
    assert (
        x.type() == "float64"
        and x.cpu().tolist() == x.tolist() == x.contiguous().tolist()
        and x.is_contiguous()
        and not x.is_cuda
    )
    assert (
        x.dim(),
        x.numel(),
        x.element_size(),
        em.numel(x),
        em.is_tensor(x),
        em.is_floating_point(x),
        x.is_complex(),
    ) == (2, 12, 8, 12, True, True, False)
    assert (
        isinstance(x.numpy(), np.ndarray)
        and em.from_numpy(M).tolist() == M.tolist()
        and em.as_tensor([1.0]).dtype == "float32"
    )
    with pytest.raises(RuntimeError, match="detach"):
        em.ones(2, requires_grad=True).numpy()
    assert (
        em.device("cuda:0") == "cuda:0"
        and em.device("cuda", 1) == "cuda:1"
        and em.cuda.is_available() == any(d.startswith("cuda") for d in em.get_available_devices())
    )
    assert x.new_zeros(2, 3).dtype == x.new_ones((2,)).dtype == x.new_full(
        (2,), 7
    ).dtype == x.new_tensor([1]).dtype == "float64" and x.new_zeros(2, 3).shape == (2, 3)


def test_in_place_methods(engine):
    for name, args, want in (
        ("add_", (2,), M + 2),
        ("sub_", (t(N),), M - N),
        ("mul_", (2,), M * 2),
        ("div_", (2,), M / 2),
        ("zero_", (), M * 0),
        ("fill_", (7,), M * 0 + 7),
        ("copy_", (t(N),), N),
        ("clamp_", (-0.5, 0.5), np.clip(M, -0.5, 0.5)),
        ("exp_", (), np.exp(M)),
        ("masked_fill_", (t(M > 0), 0), np.where(M > 0, 0, M)),
        ("neg_", (), -M),
        (
            "scatter_add_",
            (1, t(I[:, :1]), t(N[:, :1])),
            np.where(np.arange(4) == I[:, :1], M + N[:, :1], M),
        ),
    ):
        x = t(M)
        y = x
        assert getattr(x, name)(*args) is y
        same(y, want)
    x = em.zeros((2, 3))
    assert (
        x.add_(em.ones(3), alpha=2).tolist() == [[2] * 3] * 2
        and x.normal_().shape == (2, 3)
        and 0 <= x.uniform_().min()
        and x.max() < 1
    )
    with pytest.raises(TypeError, match="in-place op"):
        em.ones(2, dtype="int64").add_(0.5)
    with pytest.raises(ValueError):
        em.ones(2).add_(em.ones((3, 2)))


def test_random_forms():
    em.manual_seed(0)
    assert (
        em.randn(2, 3).shape
        == em.rand((2, 3)).shape
        == em.randn(size=(2, 3)).shape
        == em.rand_like(em.ones((2, 3))).shape
        == (2, 3)
        and em.randn_like(t(M)).dtype == "float64"
    )
    assert sorted(em.randperm(5).tolist()) == [0, 1, 2, 3, 4]
    for x in (
        em.randint(3, 7, (50,)),
        em.randint(low=3, high=7, size=(50,)),
        em.random.randint(3, 7, 50),
        em.random.integers(3, 7, (50,)),
        em.random.randint(3, 7, size=50),
    ):
        assert x.dtype == "int64" and set(x.tolist()) == {3, 4, 5, 6}
    assert set(em.randint(3, size=(50,)).tolist()) == {0, 1, 2}
    for x in (
        em.random.normal(10.0, 0.001, (4, 2)),
        em.random.normal(loc=10, scale=0.001, size=(4, 2)),
        em.random.normal((4, 2), 10, 0.001),
    ):
        assert x.shape == (4, 2) and abs(x - 10).max() < 0.1
    for x in (
        em.random.uniform(5, 6, (4,)),
        em.random.uniform(low=5, high=6, size=4),
        em.random.uniform((4,), 5, 6),
    ):
        assert x.shape == (4,) and 5 <= x.min() <= x.max() <= 6
    assert em.random.choice(5, size=(3,)).shape == em.random.choice([1.0, 2.0], 3).shape == (
        3,
    ) and em.random.poisson(lam=3.0, size=(2,)).shape == (2,)
    with pytest.raises(ValueError, match="randint"):
        em.randint()
    with pytest.raises(TypeError, match=r"\[random_normal\]"):
        em.random.normal("a")


def test_torchs_normal_and_bernoulli(engine):
    assert em.normal(5.0, 0.001, size=(3, 2)).shape == (3, 2) and em.normal(
        em.asarray([0.0, 100.0]), 1.0
    ).shape == (2,)
    flips = em.bernoulli(em.full((1000,), 0.3))
    assert flips.dtype == "float32" and 0.2 < flips.mean() < 0.4 and set(flips.tolist()) == {0, 1}


def test_size_is_a_number():
    x = t(C)
    assert (
        x.size == 24
        and isinstance(x.size, int)
        and x.size + 1 == 25
        and x.size() == (2, 3, 4)
        and x.size(-1) == 4
    )
    assert (
        repr(x.size) == "24"
        and pickle.loads(pickle.dumps(x.size)) == 24
        and range(x.size)[-1] == 23
    )


def test_set_grad_enabled():
    x = em.ones(2, requires_grad=True)
    with em.set_grad_enabled(False):
        assert not (x * 2).requires_grad
        with em.set_grad_enabled(True):
            assert (x * 2).requires_grad and em.is_grad_enabled()
    assert (x * 2).requires_grad
    with pytest.warns(UserWarning, match="with em.set_grad_enabled"):
        em.set_grad_enabled(False)
    with em.inference_mode():
        assert not em.is_grad_enabled()


def test_generators(engine):
    first, again, other = (
        em.random.default_rng(7),
        em.random.default_rng(7),
        em.random.default_rng(8),
    )
    x = first.normal(size=(200,))
    assert (
        x.dtype == "float64"
        and x.tolist() == again.normal(size=200).tolist() != other.normal(size=200).tolist()
        and first.normal(size=3).tolist() != x[:3].tolist()
    )
    before = em.rand(3, seed=1).tolist()
    assert (
        em.rand(3, seed=1).tolist() == before
        and first.random().shape == ()
        and em.random.default_rng(first) is first
    )
    assert abs(first.normal([0.0, 100.0], 0.1)).max() > 90 and first.uniform(2, 3, (5,)).min() >= 2
    assert set(first.integers(3, size=60).tolist()) == {0, 1, 2} and set(
        first.integers(1, 3, size=60, endpoint=True).tolist()
    ) == {1, 2, 3}
    assert (
        sorted(first.permutation(5).tolist())
        == sorted(first.choice(5, 5, replace=False).tolist())
        == [0, 1, 2, 3, 4]
    )
    assert set(first.choice([1.0, 2.0], 40, p=[0.0, 1.0]).tolist()) == {2.0} and first.choice(
        t(M), 2, axis=1
    ).shape == (3, 2)
    y = em.arange(10)
    first.shuffle(y)
    assert sorted(y.tolist()) == list(range(10)) and first.permuted(t(M), axis=1).sum(
        axis=1
    ).tolist() == pytest.approx(M.sum(1))
    drawn = first.multivariate_normal([1.0, -1.0], [[2.0, 0.6], [0.6, 1.0]], 4000)
    assert em.cov(drawn.T).flatten().tolist() == pytest.approx(
        [2, 0.6, 0.6, 1], abs=0.2
    ) and drawn.mean(axis=0).tolist() == pytest.approx([1, -1], abs=0.1)
    assert first.dirichlet([1.0, 2.0, 3.0], 4).sum(axis=1).tolist() == pytest.approx([1] * 4)
    for name, args in (
        ("exponential", ()),
        ("gamma", (2.0,)),
        ("beta", (1.0, 2.0)),
        ("poisson", (3.0,)),
        ("binomial", (5, 0.5)),
        ("laplace", ()),
        ("gumbel", ()),
        ("standard_normal", ()),
    ):
        assert getattr(first, name)(*args, size=(2, 3)).shape == (2, 3)
    assert first.gamma(2.0, 3.0, 4000).mean().item() == pytest.approx(6, abs=0.5)


def test_jaxs_keys(engine):
    key = em.random.PRNGKey(0)
    a, b = em.random.split(key)
    x = em.random.normal(a, (3, 2))
    assert (
        x.tolist() == em.random.normal(a, (3, 2)).tolist() != em.random.normal(b, (3, 2)).tolist()
        and em.random.normal((3, 2), key=a).tolist() == x.tolist()
    )
    assert (
        em.random.uniform(key, (4,), minval=2.0, maxval=3.0).min() >= 2
        and em.random.normal(key).shape == ()
        and len(em.random.split(key, 5)) == 5
    )
    assert set(em.random.randint(key, (60,), 0, 3).tolist()) == {0, 1, 2} and sorted(
        em.random.permutation(key, 4).tolist()
    ) == [0, 1, 2, 3]
    assert (
        em.random.bernoulli(key, 0.5, (8,)).dtype == "bool"
        and em.random.fold_in(key, 1).seed != em.random.fold_in(key, 2).seed
    )


def test_differences_from_torch_warn():
    x = t(M)
    with pytest.warns(UserWarning, match="x.T"):
        assert x.transpose(0, 1).shape == (3, 4)
    for f in (
        lambda: x.std(dim=0),
        lambda: em.var(x, dim=1),
        lambda: x.split(5, 1, dim=1),
        lambda: em.cummax(x, dim=0),
        lambda: em.gather(x, t(I), dim=1),
    ):
        with pytest.raises(TypeError, match="dim= is torch's word"):
            f()
    with pytest.raises(AttributeError, match="em.array_equal"):
        x.equal(x)
    with pytest.raises(AttributeError, match="argmax"):
        x.max(axis=1).values
    assert not hasattr(x, "register_hook") and "register_hook" not in dir(x) and "view" in dir(x)
    assert em.jit(em.sin) is em.sin and em.compile(mode="fast")(em.sin) is em.sin


LAYERS = {
    "Hardtanh": (nn.Hardtanh(-0.5, 0.5), M, np.clip(M, -0.5, 0.5)),
    "Threshold": (nn.Threshold(0.1, 7.0), M, np.where(M > 0.1, M, 7.0)),
    "Hardshrink": (nn.Hardshrink(), M, np.where(np.abs(M) > 0.5, M, 0)),
    "Softshrink": (nn.Softshrink(0.2), M, np.sign(M) * np.maximum(np.abs(M) - 0.2, 0)),
    "Tanhshrink": (nn.Tanhshrink(), M, M - np.tanh(M)),
    "Softmin": (nn.Softmin(dim=0), M, softmax(-M, 0)),
    "Unflatten": (nn.Unflatten(1, (2, 2)), M, M.reshape(3, 2, 2)),
    "PixelShuffle": (
        nn.PixelShuffle(2),
        np.arange(4.0).reshape(1, 4, 1, 1),
        np.arange(4.0).reshape(1, 1, 2, 2),
    ),
    "PixelUnshuffle": (
        nn.PixelUnshuffle(2),
        np.arange(4.0).reshape(1, 1, 2, 2),
        np.arange(4.0).reshape(1, 4, 1, 1),
    ),
    "ChannelShuffle": (
        nn.ChannelShuffle(2),
        np.arange(4.0).reshape(1, 4, 1, 1),
        np.array([0.0, 2, 1, 3]).reshape(1, 4, 1, 1),
    ),
    "Upsample": (nn.Upsample(scale_factor=2), C[None], np.repeat(np.repeat(C[None], 2, 2), 2, 3)),
    "ZeroPad2d": (nn.ZeroPad2d((1, 0, 0, 2)), C, np.pad(C, ((0, 0), (0, 2), (1, 0)))),
    "UpsamplingBilinear2d": (
        nn.UpsamplingBilinear2d(size=(1, 3)),
        np.array([[[[0.0, 2.0]]]]),
        np.array([[[[0, 1, 2.0]]]]),
    ),
    "ConstantPad1d": (
        nn.ConstantPad1d(2, 3.5),
        C,
        np.pad(C, ((0, 0), (0, 0), (2, 2)), constant_values=3.5),
    ),
    "ReflectionPad2d": (
        nn.ReflectionPad2d(1),
        C,
        np.pad(C, ((0, 0), (1, 1), (1, 1)), mode="reflect"),
    ),
    "ReplicationPad1d": (
        nn.ReplicationPad1d((3, 0)),
        C,
        np.pad(C, ((0, 0), (0, 0), (3, 0)), mode="edge"),
    ),
    "CircularPad2d": (nn.CircularPad2d(2), C, np.pad(C, ((0, 0), (2, 2), (2, 2)), mode="wrap")),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layer_gives_what_torchs_gives(engine, name):
    layer, x, want = LAYERS[name]
    same(layer(t(x)), want, 1e-6)
    assert (
        repr(layer).startswith(name + "(")
        and not list(layer.parameters())
        and layer.state_dict() == {}
    )


def test_dropout_of_channels_and_alpha_dropout(engine):
    x = em.ones((64, 8, 2, 2))
    y = nn.Dropout2d(0.25)(x)
    channels = y.sum(axis=(2, 3)).flatten().tolist()
    assert (
        set(round(c, 4) for c in channels) == {0, round(4 / 0.75, 4)}
        and 0.1 < channels.count(0) / len(channels) < 0.4
    )
    assert nn.Dropout2d().eval()(x).tolist() == x.tolist()
    z = em.randn(20000, dtype="float64")
    out = nn.AlphaDropout(0.2)(em.selu(z))
    assert out.mean().item() == pytest.approx(0, abs=0.05) and out.std().item() == pytest.approx(
        1, abs=0.05
    )
    soft, hard = F.gumbel_softmax(t(M)), F.gumbel_softmax(t(M), hard=True)
    assert (
        soft.sum(axis=1).tolist() == pytest.approx([1] * 3)
        and sorted(hard.flatten().round().tolist()) == [0] * 9 + [1] * 3
    )


def test_layers_of_two_inputs(engine):
    same(
        nn.CosineSimilarity(dim=1)(t(M), t(N)),
        (M * N).sum(1) / np.linalg.norm(M, axis=1) / np.linalg.norm(N, axis=1),
    )
    same(nn.PairwiseDistance(p=1, eps=0.0)(t(M), t(N)), np.abs(M - N).sum(1))
    layer = nn.Bilinear(4, 3, 5)
    a, b = np.float32(M), np.float32(M[:, :3])
    same(
        layer(t(a), t(b)),
        np.einsum("ni,kij,nj->nk", a, np.asarray(layer.weight), b) + np.asarray(layer.bias),
        1e-5,
    )
    assert (
        list(layer.state_dict()) == ["weight", "bias"]
        and repr(layer) == "Bilinear(in1_features=4, in2_features=3, out_features=5)"
    )
    same(
        nn.Fold((4, 4), 2, stride=2)(
            nn.Unfold(2, stride=2)(t(np.arange(16.0).reshape(1, 1, 4, 4)))
        ),
        np.arange(16.0).reshape(1, 1, 4, 4),
    )


def test_utilities(engine):
    net = nn.Linear(3, 2)
    vector = nn.utils.parameters_to_vector(net.parameters())
    nn.utils.vector_to_parameters(vector * 0 + 2, net.parameters())
    assert (
        vector.shape == (8,)
        and net.weight.tolist() == [[2] * 3] * 2
        and net.bias.tolist() == [2, 2]
    )
    net(em.ones((1, 3))).sum().backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    assert sum((p.grad**2).sum().item() for p in net.parameters()) == pytest.approx(1, abs=1e-4)
    padded = nn.utils.rnn.pad_sequence(
        [em.ones((2, 3)), em.ones((4, 3)) * 2], batch_first=True, padding_value=-1.0
    )
    assert padded.shape == (2, 4, 3) and padded[:, 3, 0].tolist() == [-1, 2]


def test_optimizers_and_loaders_are_where_torch_has_them():
    from ember_ml import optim, optimizers, training
    from ember_ml.optim.lr_scheduler import StepLR
    from ember_ml.utils.data import DataLoader, TensorDataset

    assert (
        em.optim is optim is optimizers
        and optim.Adam is training.Adam
        and optim.lr_scheduler.StepLR is StepLR is training.StepLR
    )
    assert (
        DataLoader is training.DataLoader
        and TensorDataset is em.utils.data.TensorDataset
        and nn.MSELoss is training.MSELoss
    )
    assert "Trainer" not in dir(optim) and not hasattr(optim, "DataLoader")


def test_norm_with_p():
    x = em.asarray([[3.0, 4.0], [6.0, 8.0]])
    assert x.norm(p=2, dim=1).tolist() == [5, 10]
    assert em.norm(x, p=1).item() == 21
    assert x.norm(p=2, dim=0, keepdim=True).shape == (1, 2)


def test_embedding_from_pretrained():
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    layer = em.nn.Embedding.from_pretrained(em.asarray(vectors))
    assert layer(em.asarray([2, 0])).tolist() == [[4, 5], [0, 1]]
    assert not layer.weight.requires_grad
    assert em.nn.Embedding.from_pretrained(vectors, freeze=False).weight.requires_grad


def test_choice_of_a_device():
    usual = em.accelerator.current_accelerator() if em.accelerator.is_available() else "cpu"
    older = "cuda" if em.cuda.is_available() else "mps" if em.backends.mps.is_available() else "cpu"
    assert usual == older
    em.backends.cudnn.benchmark = True


def test_clamp_of_one_side():
    x = em.asarray([1.0, 2.0, 3.0])
    assert x.clamp_min(2).tolist() == [2, 2, 3] and x.clamp_max(2).tolist() == [1, 2, 2]
