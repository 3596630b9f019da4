"""Names of other libraries that Ember does not have, with what to write instead; and what a module
says of any name it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

# Names of the module ember_ml. The text is what to use, or why there is no equivalent.
TOP = {
    # NumPy
    "asfortranarray": "use em.asarray(x): the order of memory cannot be seen",
    "copyto": "use x[...] = y",
    "datetime64": "tensors hold numbers: use NumPy's datetime64",
    "einsum_path": "use em.einsum, which finds an order itself",
    "errstate": "leave it out: Ember never warns of floating-point errors",
    "i0": "use scipy.special.i0(x)",
    "issubdtype": "use em.isdtype(dtype, 'real floating'), or 'integral'",
    "lib": "use em.windows(x, length) for sliding windows",
    "ma": "use em.where, boolean masks or em.nanmean and similar functions",
    "mask_indices": "use em.tril_indices or em.triu_indices",
    "matrix": "use em.asarray",
    "memmap": "use em.load(path, mmap=True)",
    "nditer": "use em.ndindex(*x.shape)",
    "packbits": "use em.asarray(numpy.packbits(x))",
    "place": "use x[mask] = values",
    "polynomial": "use numpy.polynomial, whose functions take tensors, or em.polyfit and em.polyval",
    "printoptions": "use em.set_printoptions",
    "poly1d": "use em.polyval(p, x), em.polyder(p), em.roots(p) on a vector of coefficients",
    "put": "use x[index] = values",
    "putmask": "use x[mask] = values",
    "require": "use em.asarray",
    "shares_memory": "use views freely: a tensor that changes shares nothing",
    "savez_compressed": "use em.savez",
    "seterr": "leave it out: Ember never warns of floating-point errors",
    "testing": "use numpy.testing, which takes tensors",
    "unpackbits": "use em.asarray(numpy.unpackbits(x))",
    # torch
    "FloatTensor": "use em.asarray(data, dtype=em.float32)",
    "LongTensor": "use em.asarray(data, dtype=em.int64)",
    "amp": "use training.Trainer(..., precision='float16') or net.half()",
    "Generator": "use em.random.default_rng(seed), or seed= of the function that draws",
    "export": "use em.onnx.save",
    "fx": "Ember has no graph to edit: export one with em.onnx.save",
    "get_num_threads": "use os.environ['EMBER_NUM_THREADS'], which is read when Ember starts",
    "hub": "use em.load of a safetensors file, or em.onnx",
    "igamma": "use scipy.special.gammainc(a, x)",
    "igammac": "use scipy.special.gammaincc(a, x)",
    "mvlgamma": "use scipy.special.multigammaln(x, p)",
    "nonzero_static": "use em.nonzero",
    "polygamma": "use em.digamma, or scipy.special.polygamma(n, x)",
    "profiler": "use em.counters() and em.memory_stats()",
    "quantization": "use em.quantize_linear and em.dequantize_linear",
    "quantize_per_tensor": "use em.quantize_linear(x, scale, zero_point)",
    "set_default_tensor_type": "use em.set_default_dtype",
    "set_num_threads": "use os.environ['EMBER_NUM_THREADS'], which is read when Ember starts",
    "sparse": "tensors are dense: use scipy.sparse",
    "sparse_coo_tensor": "tensors are dense: use scipy.sparse",
    "unfold": "use x.unfold(dimension, size, step), or nn.functional.unfold of images",
    "use_deterministic_algorithms": "leave it out: results do not depend on chance",
    # JAX
    "clear_caches": "use em.clear_cache()",
    "config": "use em.set_default_dtype, em.set_printoptions or the environment (docs/architecture.md)",
    "custom_jvp": "use em.custom_vjp, or write the function in ops: each has its gradient",
    "debug_nans": "use em.isnan(x).any()",
    "disable_jit": "use the environment's EMBER_EAGER=1",
    "ensure_compile_time_eval": "leave it out: values can be read anywhere",
    "eval_shape": "use f(x).shape: recording computes nothing",
    "experimental": "Ember has no experimental namespace",
    "linearize": "use em.jacobian(f, x)",
    "make_jaxpr": "use em.onnx.save to write the graph",
    "named_scope": "leave it out: it has no effect in Ember",
    "pmap": "use em.distributed",
    "pure_callback": "call the function: values can be read anywhere",
    "vmap": "write the batch as an axis: ops broadcast, and matrices come in stacks",
    "fori_loop": "use Python's own for, which is recorded as it runs",
    "scan": "use Python's own for, which is recorded as it runs, and em.stack",
    "while_loop": "use Python's own while, which is recorded as it runs",
    # MLX
    "block_masked_mm": "use em.matmul and em.where",
    "conv_general": "use em.conv1d, em.conv2d or em.conv3d",
    "cpu": "use em.set_device('cpu')",
    "dequantize": "use em.dequantize_linear",
    "export_function": "use em.onnx.save",
    "export_to_dot": "use em.onnx.save and a viewer of ONNX files",
    "gather_qmm": "use em.dequantize_linear and em.matmul",
    "get_active_memory": "use em.memory_stats()['used']",
    "get_peak_memory": "use em.memory_stats()['peak']",
    "gpu": "use em.set_device('cuda')",
    "hadamard_transform": "use em.matmul(x, scipy.linalg.hadamard(n))",
    "import_function": "use em.onnx.load",
    "metal": "use em.set_backend('mlx')",
    "new_stream": "leave it out: engines choose their streams",
    "quantize": "use em.quantize_linear",
    "quantized_matmul": "use em.dequantize_linear and em.matmul",
    "save_gguf": "use em.save('x.safetensors', tensors)",
    "save_safetensors": "use em.save('x.safetensors', tensors)",
    "segmented_mm": "use em.matmul of slices",
    "set_memory_limit": "use em.clear_cache() to give memory back",
    "stream": "leave it out: engines choose their streams",
    # Keras
    "Input": "leave it out: shapes come with the data",
    "Model": "use nn.Module or nn.Sequential",
    "Sequential": "use nn.Sequential",
    "applications": "use em.onnx for trained models",
    "convert_to_numpy": "use em.to_numpy(x)",
    "vectorized_map": "write the batch as an axis: ops broadcast, and matrices come in stacks",
    "callbacks": "use training.EarlyStopping, training.Checkpoint and the other callbacks of ember_ml.training",
    "constraints": "use training.clip_grad_norm_, or write to the parameter under em.no_grad()",
    "initializers": "use nn.initializers or nn.init",
    "layers": "use nn: nn.Linear, nn.Conv2d, nn.LSTM",
    "losses": "use nn.CrossEntropyLoss and the other losses of nn",
    "metrics": "use training.Accuracy and the other metrics of ember_ml.training",
    "mixed_precision": "use training.Trainer(..., precision='float16')",
    "regularizers": "use weight_decay= of the optimizer",
    "saving": "use net.save(path), em.save",
}

# Of tensors.
TENSOR = {
    "equal": "use em.array_equal(x, y) for one answer, x == y for one of each element",
    "grad_fn": "use x.requires_grad and x.is_leaf",
    "indices": "use x.max(dim=1).indices, with dim=, or em.argmax, em.argmin and em.argsort",
    "is_sparse": "tensors are dense",
    "pin_memory": "leave it out: there is no other kind of host memory",
    "register_hook": "use em.grad and change its result",
    "resize_": "use em.resize(x, shape)",
    "retain_grad": "use em.grad, which returns the gradient of any value",
    "set_": "use x[...] = y",
    "share_memory_": "use em.save and em.load(path, mmap=True)",
    "squeeze_": "use x = x.squeeze()",
    "storage": "use x.tobytes() or memoryview(x)",
    "stride": "use x.strides, in elements",
    "t_": "use x = x.T",
    "tofile": "use em.save(path, x)",
    "transpose_": "use x = x.swapaxes(i, j)",
    "unsqueeze_": "use x = x.unsqueeze(axis)",
    "values": "use x.max(dim=1).values, with dim=; em.argmax and em.argsort give indices",
    "view_": "use x = x.reshape(shape)",
}

NN = {
    "Buffer": "use self.register_buffer(name, tensor)",
    "ALiBi": "use a mask of nn.MultiheadAttention",
    "EmbeddingBag": "use nn.Embedding and em.mean or em.sum",
    "KVCache": "use em.concat of keys and values",
    "LazyConv2d": "use nn.Conv2d with in_channels",
    "LazyLinear": "use nn.Linear with in_features",
    "LocalResponseNorm": "use nn.GroupNorm or nn.BatchNorm2d",
    "QuantizedLinear": "use nn.Linear, and em.quantize_linear for files",
    "RoPE": "use nn.RotaryPositions or em.rope",
    "SyncBatchNorm": "use nn.BatchNorm2d",
    "Transformer": "use nn.TransformerEncoder and nn.TransformerDecoder",
    "parallel": "use em.distributed",
    "quantize": "use em.quantize_linear",
}


def missing(module: str, name: str, advice: dict[str, str], known: Iterable[str]) -> NoReturn:
    """Raises what a module says of a name it lacks: the advice for the name, or names that look
    like it."""
    said = f"module {module!r} has no attribute {name!r}"
    if name in advice:
        raise AttributeError(f"{said}: {advice[name]}")
    import difflib  # here, because it takes longer to import than Ember

    by_lower: dict[str, list[str]] = {}
    for n in sorted(known):
        if not n.startswith("_"):
            by_lower.setdefault(n.lower(), []).append(n)
    close = (
        [] if name.startswith("_") else difflib.get_close_matches(name.lower(), by_lower, 3, 0.75)
    )
    near = [n for key in close for n in by_lower[key]][:3]
    raise AttributeError(said + (f"; did you mean {' or '.join(map(repr, near))}?" if near else ""))


def getter(module: str, advice: dict[str, str], known: Iterable[str]) -> Callable[[str], NoReturn]:
    """Creates a module's __getattr__."""
    return lambda name: missing(module, name, advice, known)


class Missing:
    """A missing attribute of a class; reading it raises an error with advice."""

    def __init__(self, name: str, advice: str) -> None:
        self.name, self.advice = name, advice

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        raise AttributeError(
            f"{owner.__name__!r} object has no attribute {self.name!r}: {self.advice}"
        )
