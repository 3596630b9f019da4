"""The model of examples/chars.cpp in torch, from the same first weights, on the same batches, with
the same optimizer.

build/examples/chars --steps 0 --sample 0 --save start.safetensors
build/examples/chars --load start.safetensors --steps 600
python bench/chars_torch.py start.safetensors 600
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Iterable

import torch
from torch import nn

context, width, heads, layers, batch = 64, 144, 4, 4, 16


class Chars(nn.Module):
    def __init__(self, characters: int) -> None:
        super().__init__()
        self.token = nn.Embedding(characters, width)
        self.positions = nn.Embedding(context, width)
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout=0, activation="gelu", batch_first=True, norm_first=True
        )
        self.blocks = nn.TransformerEncoder(
            layer, layers, nn.LayerNorm(width), enable_nested_tensor=False
        )
        self.head = nn.Linear(width, characters)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
        x = self.blocks(self.token(ids) + self.positions.weight, mask=mask, is_causal=True)
        logits: torch.Tensor = self.head(x)
        return logits


def read_safetensors(path: str) -> dict[str, torch.Tensor]:
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    return {
        name: torch.frombuffer(data[slice(*t["data_offsets"])], dtype=torch.float32).reshape(
            t["shape"]
        )
        for name, t in header.items()
    }


text = (pathlib.Path(__file__).resolve().parent.parent / "examples/data/alice.txt").read_bytes()
alphabet = sorted(set(text))
ids = torch.tensor([alphabet.index(c) for c in text])
split = len(text) * 9 // 10


def loss_of(model: Chars, starts: Iterable[int]) -> torch.Tensor:
    x = torch.stack([ids[s : s + context] for s in starts])
    y = torch.stack([ids[s + 1 : s + 1 + context] for s in starts])
    return nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())


model = Chars(len(alphabet))
model.load_state_dict(read_safetensors(sys.argv[1]))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
steps, state, begin = int(sys.argv[2]), 1, time.time()
for step in range(1, steps + 1):
    starts = []
    for _ in range(batch):  # the random generator of chars.cpp
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        starts.append((state >> 33) % (split - context))
    optimizer.zero_grad()
    loss = loss_of(model, starts)
    loss.backward()
    optimizer.step()
    if step == 1 or step % 20 == 0 or step == steps:
        print(f"step {step:4d}  loss {loss.item():.4f}  {time.time() - begin:.1f} s", flush=True)
seconds = time.time() - begin
with torch.no_grad():
    rest = range(split, len(text) - batch * context, batch * context)
    losses = [loss_of(model, range(at, at + batch * context, context)).item() for at in rest]
print(
    f"validation loss {sum(losses) / len(losses):.4f} after {steps} steps in {seconds:.1f} s, torch {torch.__version__}"
)
