"""all-MiniLM-L6-v2 in plain torch, to compare Ember's with: reads the ids of a sentence from each
line of standard input.

# the numbers in tests/nn/minilm_test.cpp
build/examples/minilm --ids | python bench/minilm_torch.py build/models/minilm
# the largest difference
build/examples/minilm --vectors >ours
build/examples/minilm --ids | python bench/minilm_torch.py build/models/minilm ours
"""

from __future__ import annotations

import json
import sys

import torch
import torch.nn.functional as F


def read_safetensors(path: str) -> dict[str, torch.Tensor]:
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = bytearray(file.read())
    kinds = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64}
    header.pop("__metadata__", None)
    return {
        name: torch.frombuffer(data[slice(*t["data_offsets"])], dtype=kinds[t["dtype"]]).reshape(
            t["shape"]
        )
        for name, t in header.items()
    }


def encode(w: dict[str, torch.Tensor], ids: torch.Tensor) -> torch.Tensor:
    """One sentence at a time, so that nothing is filled up and nothing masked: Ember's batches must
    not matter."""
    linear = lambda x, name: F.linear(x, w[name + ".weight"], w[name + ".bias"])
    norm = lambda x, name: F.layer_norm(x, (384,), w[name + ".weight"], w[name + ".bias"], 1e-12)
    x = (
        w["embeddings.word_embeddings.weight"][ids]
        + w["embeddings.position_embeddings.weight"][: len(ids)]
    )
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for i in range(6):
        at = f"encoder.layer.{i}."
        q, k, v = (
            linear(x, f"{at}attention.self.{part}").view(-1, 12, 32).transpose(0, 1)
            for part in ("query", "key", "value")
        )
        seen = torch.softmax(q @ k.transpose(1, 2) / 32**0.5, -1) @ v
        seen = linear(seen.transpose(0, 1).reshape(-1, 384), at + "attention.output.dense")
        x = norm(seen + x, at + "attention.output.LayerNorm")
        x = norm(
            linear(F.gelu(linear(x, at + "intermediate.dense")), at + "output.dense") + x,
            at + "output.LayerNorm",
        )
    return F.normalize(x.mean(0), dim=0)


weights = read_safetensors(sys.argv[1] + "/model.safetensors")
with torch.no_grad():
    vectors = torch.stack(
        [encode(weights, torch.tensor([int(word) for word in line.split()])) for line in sys.stdin]
    )
print("torch", torch.__version__)
for vector, alike in zip(vectors, vectors @ vectors.T):
    print(" ".join(f"{v:.7f}" for v in vector[:8]), "|", " ".join(f"{v:.6f}" for v in alike))
if len(sys.argv) > 2:
    ours = torch.tensor([[float(word) for word in line.split()] for line in open(sys.argv[2])])
    print(f"largest difference: {(ours - vectors).abs().max():.1e}")
