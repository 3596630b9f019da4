"""Handwritten digits: a Module in Python, trained by the Trainer on any engine."""

import argparse
from pathlib import Path

import ember_ml as em
from ember_ml import nn, training


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(64, 48)
        self.out = nn.Linear(48, 10)

    def forward(self, x: em.Tensor) -> em.Tensor:
        scores: em.Tensor = self.out(em.relu(self.hidden(x)))
        return scores


def digits() -> tuple[training.DataLoader, training.DataLoader]:
    """Loaders to train with and to validate with: 8 x 8 pixels from 0 to 16, and the digit, in each
    line of the file."""
    lines = (Path(__file__).parent / "data" / "digits.csv").read_text().split()
    table = em.asarray([[int(v) for v in line.split(",")] for line in lines])
    x, y = table[:, :64] / 16, table[:, 64]
    held_out = em.arange(len(lines)) % 5 == 0
    known, new = (training.TensorDataset(x[part], y[part]) for part in (~held_out, held_out))
    return training.DataLoader(known, batch_size=50, shuffle=True, seed=1), training.DataLoader(
        new, batch_size=200
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="native", help="the engine (default: native)")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--save", type=Path, help="where the weights go: a .safetensors file")
    given = parser.parse_args()

    em.set_backend(given.backend)
    em.random.seed(1)
    net = Net()
    print(net)
    trainer = training.Trainer(
        net,
        training.Adam(net.parameters(), lr=5e-3),
        training.CrossEntropyLoss(),
        metrics=[training.Accuracy()],
    )
    known, new = digits()
    history = trainer.fit(known, given.epochs, validation=new)
    for epoch, (loss, accuracy) in enumerate(zip(history["loss"], history["val_accuracy"]), 1):
        print(f"epoch {epoch:2}: loss {loss:.4f}, {accuracy:.1%} of the new digits right")
    if given.save:
        net.save(given.save)


if __name__ == "__main__":
    main()
