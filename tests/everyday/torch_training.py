"""Training loops as PyTorch's tutorials write them."""

import math
import numpy as np
import ember_ml as torch
import ember_ml.nn as nn
import ember_ml.nn.functional as F
import ember_ml.optim as optim
from ember_ml.utils.data import DataLoader, Dataset, TensorDataset, random_split
from check import close, equal


def two_moons(n=60):
    """Two half circles that no line separates, as NumPy arrays."""
    t = np.linspace(0, np.pi, n // 2)
    outer = np.stack([np.cos(t), np.sin(t)], 1)
    inner = np.stack([1 - np.cos(t), 0.4 - np.sin(t)], 1)
    return np.concatenate([outer, inner]).astype(np.float32), np.arange(2).repeat(n // 2)


def program_sine_with_nn():
    x = torch.linspace(-math.pi, math.pi, 200)
    y = torch.sin(x)
    p = torch.tensor([1, 2, 3])
    xx = x.unsqueeze(-1).pow(p)
    model = nn.Sequential(nn.Linear(3, 1), nn.Flatten(0, 1))
    loss_fn = nn.MSELoss(reduction="sum")
    learning_rate = 1e-6
    first = loss_fn(model(xx), y).item()
    for t in range(60):
        y_pred = model(xx)
        loss = loss_fn(y_pred, y)
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for param in model.parameters():
                param -= learning_rate * param.grad
    assert loss.item() < first
    linear_layer = model[0]
    assert linear_layer.weight.shape == (1, 3)


def program_sine_with_optim():
    x = torch.linspace(-math.pi, math.pi, 200)
    y = torch.sin(x)
    xx = x.unsqueeze(-1).pow(torch.tensor([1, 2, 3]))
    model = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Flatten(0, 1))
    loss_fn = torch.nn.MSELoss(reduction="sum")
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-2)
    for t in range(150):
        y_pred = model(xx)
        loss = loss_fn(y_pred, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 30


def program_custom_module():
    class Polynomial3(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Parameter(torch.randn(()))
            self.b = torch.nn.Parameter(torch.randn(()))
            self.c = torch.nn.Parameter(torch.randn(()))
            self.d = torch.nn.Parameter(torch.randn(()))

        def forward(self, x):
            return self.a + self.b * x + self.c * x**2 + self.d * x**3

        def string(self):
            return f"y = {self.a.item()} + {self.b.item()} x"

    x = torch.linspace(-1, 1, 100)
    y = 1 + 2 * x - 3 * x**2 + x**3
    model = Polynomial3()
    criterion = torch.nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9)
    for t in range(150):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    close(
        [model.a.item(), model.b.item(), model.c.item(), model.d.item()], [1, 2, -3, 1], atol=0.05
    )
    assert model.string().startswith("y = ")


def program_control_flow_and_shared_weights():
    class Dynamic(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Parameter(torch.randn(()))
            self.b = nn.Parameter(torch.randn(()))
            self.e = nn.Parameter(torch.zeros(()))

        def forward(self, x, steps):
            y = self.a + self.b * x
            for exp in range(2, steps):
                y = y + self.e * x**exp
            return y

    x = torch.linspace(-1, 1, 50)
    y = 0.5 - x + 2 * x**2 + 2 * x**3
    model = Dynamic()
    optimizer = optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for t in range(100):
        loss = F.mse_loss(model(x, 4), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    close([model.a.item(), model.b.item(), model.e.item()], [0.5, -1, 2], atol=0.02)


def program_linear_regression():
    X = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
    y = torch.tensor([[2.0], [4.0], [6.0], [8.0]])
    model = nn.Linear(in_features=1, out_features=1)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(300):
        y_hat = model(X)
        loss = criterion(y_hat, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    [w, b] = model.parameters()
    close(w, [[2]], atol=0.05)
    close(b, [0], atol=0.15)
    with torch.no_grad():
        close(model(torch.tensor([[5.0]])), [[10]], atol=0.1)


def program_first_network():
    class NeuralNetwork(nn.Module):
        def __init__(self):
            super().__init__()
            self.flatten = nn.Flatten()
            self.linear_relu_stack = nn.Sequential(
                nn.Linear(4 * 4, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4)
            )

        def forward(self, x):
            x = self.flatten(x)
            logits = self.linear_relu_stack(x)
            return logits

    device = "cpu"
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 96)
    images = 0.1 * rng.normal(size=(96, 1, 4, 4))
    images[np.arange(96), 0, labels, labels] += 2
    train = TensorDataset(torch.tensor(images[:64], dtype=torch.float32), torch.tensor(labels[:64]))
    test = TensorDataset(torch.tensor(images[64:], dtype=torch.float32), torch.tensor(labels[64:]))
    train_dataloader = DataLoader(train, batch_size=16, shuffle=True)
    test_dataloader = DataLoader(test, batch_size=16)
    model = NeuralNetwork().to(device)
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)

    for epoch in range(20):
        model.train()
        for batch, (X, y) in enumerate(train_dataloader):
            X, y = X.to(device), y.to(device)
            pred = model(X)
            loss = loss_fn(pred, y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

    size = len(test_dataloader.dataset)
    num_batches = len(test_dataloader)
    model.eval()
    test_loss, correct = 0, 0
    with torch.no_grad():
        for X, y in test_dataloader:
            pred = model(X)
            test_loss += loss_fn(pred, y).item()
            correct += (pred.argmax(1) == y).type(torch.float).sum().item()
    test_loss /= num_batches
    correct /= size
    assert size == 32 and num_batches == 2
    assert correct == 1.0 and test_loss < 0.4


def program_custom_dataset():
    class Squares(Dataset):
        def __init__(self, n, transform=None):
            self.n = n
            self.transform = transform

        def __len__(self):
            return self.n

        def __getitem__(self, idx):
            x = torch.tensor([float(idx), 1.0])
            if self.transform:
                x = self.transform(x)
            return x, idx**2

    data = Squares(10, transform=lambda v: v / 10)
    assert len(data) == 10
    loader = DataLoader(data, batch_size=4, shuffle=False)
    shapes = [tuple(x.shape) for x, y in loader]
    assert shapes == [(4, 2), (4, 2), (2, 2)]
    features, targets = next(iter(loader))
    close(features[:, 0], [0, 0.1, 0.2, 0.3])
    equal(targets, [0, 1, 4, 9])
    shuffled = DataLoader(data, batch_size=3, shuffle=True, drop_last=True)
    assert len(shuffled) == 3
    seen = [int(v) for _, y in shuffled for v in y]
    assert len(seen) == len(set(seen)) == 9
    total = sum(y.sum().item() for _, y in loader)
    assert total == 285
    again = sum(y.sum().item() for _, y in loader)
    assert again == total


def program_split_and_validate():
    X, y = two_moons()
    dataset = TensorDataset(torch.from_numpy(X), torch.from_numpy(y))
    train_set, val_set = random_split(dataset, [48, 12])
    assert len(train_set) == 48 and len(val_set) == 12
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=12)
    model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    criterion = nn.CrossEntropyLoss()
    best = float("inf")
    patience, bad_epochs = 5, 0
    for epoch in range(25):
        model.train()
        running_loss = 0.0
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
            running_loss += loss.item() * inputs.size(0)
        model.eval()
        with torch.no_grad():
            val_loss = sum(criterion(model(a), b).item() for a, b in val_loader)
        if val_loss < best:
            best, bad_epochs = val_loss, 0
        else:
            bad_epochs += 1
            if bad_epochs >= patience:
                break
    assert running_loss / 48 < 0.35


def program_binary_classifier():
    X, y = two_moons()
    X = torch.tensor(X)
    y = torch.tensor(y, dtype=torch.float32).unsqueeze(1)
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=1e-3)
    for epoch in range(60):
        logits = model(X).squeeze()
        loss = loss_fn(logits, y.squeeze())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    predictions = torch.round(torch.sigmoid(model(X)))
    accuracy = (predictions == y).float().mean().item()
    assert accuracy > 0.85
    probabilities = nn.Sigmoid()(model(X))
    close(nn.BCELoss()(probabilities, y), loss_fn(model(X), y), atol=1e-4)


def program_schedulers():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    rates = []
    for epoch in range(5):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        rates.append(optimizer.param_groups[0]["lr"])
        scheduler.step()
    close(rates, [0.1, 0.1, 0.01, 0.01, 0.001])
    close(scheduler.get_last_lr(), [0.001])
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    rates = []
    for _ in range(4):
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    close(rates, [(1 + math.cos(math.pi * t / 4)) / 2 for t in range(1, 5)])
    optimizer = optim.SGD(model.parameters(), lr=1.0)
    scheduler = optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda epoch: 0.5**epoch)
    optimizer.step()
    scheduler.step()
    close(optimizer.param_groups[0]["lr"], 0.5)
    plateau = optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.1, patience=1)
    for loss in (1.0, 1.0, 1.0, 1.0):
        plateau.step(loss)
    close(optimizer.param_groups[0]["lr"], 0.05)


def program_clip_and_accumulate():
    model = nn.Linear(3, 1)
    nn.init.constant_(model.weight, 1.0)
    nn.init.zeros_(model.bias)
    optimizer = optim.SGD(model.parameters(), lr=1.0)
    data = torch.tensor([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 1.0, 1.0]])
    accumulation_steps = 2
    optimizer.zero_grad()
    for i, row in enumerate(data):
        loss = model(row).sum() / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    close(model.weight, [[0, -0.5, -1]])
    loss = 100 * model(data).sum()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    close(norm, 100 * math.sqrt(4 + 9 + 16 + 16))
    total = torch.cat([p.grad.flatten() for p in model.parameters()]).norm()
    close(total, 1, atol=1e-3)
    nn.utils.clip_grad_value_(model.parameters(), clip_value=0.1)
    assert model.weight.grad.abs().max() <= 0.1


def program_save_and_load(folder):
    class Net(nn.Module):
        def __init__(self):
            super(Net, self).__init__()
            self.fc1 = nn.Linear(4, 3)
            self.fc2 = nn.Linear(3, 2)

        def forward(self, x):
            return self.fc2(F.relu(self.fc1(x)))

    model = Net()
    assert list(model.state_dict().keys()) == ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    path = folder / "model.safetensors"
    torch.save(model.state_dict(), path)
    other = Net()
    other.load_state_dict(torch.load(path))
    other.eval()
    x = torch.randn(5, 4)
    close(other(x), model(x))
    copy = Net()
    copy.load_state_dict(model.state_dict())
    close(copy(x), model(x))


def program_checkpoint(folder):
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(3):
        optimizer.zero_grad()
        F.mse_loss(model(torch.ones(4, 2)), torch.zeros(4, 1)).backward()
        optimizer.step()
    path = folder / "checkpoint.pt"
    torch.save(
        {
            "epoch": 3,
            "model_state_dict": model.state_dict(),
            "optimizer_state_dict": optimizer.state_dict(),
            "loss": 0.5,
        },
        path,
    )
    checkpoint = torch.load(path)
    other = nn.Linear(2, 1)
    other_optimizer = optim.SGD(other.parameters(), lr=0.1, momentum=0.9)
    other.load_state_dict(checkpoint["model_state_dict"])
    other_optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
    assert checkpoint["epoch"] == 3 and checkpoint["loss"] == 0.5
    for net, opt in ((model, optimizer), (other, other_optimizer)):
        opt.zero_grad()
        F.mse_loss(net(torch.ones(4, 2)), torch.zeros(4, 1)).backward()
        opt.step()
    close(other.weight, model.weight)


def program_two_learning_rates():
    body, head = nn.Linear(2, 2), nn.Linear(2, 1)
    optimizer = optim.SGD(
        [{"params": body.parameters()}, {"params": head.parameters(), "lr": 1e-1}], lr=0.0
    )
    before = body.weight.clone().detach()
    head_before = head.bias.clone().detach()
    loss = head(body(torch.ones(3, 2))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    close(body.weight, before)
    close(head.bias, head_before - 0.1)
    for group in optimizer.param_groups:
        group["lr"] *= 0.5
    close([g["lr"] for g in optimizer.param_groups], [0, 0.05])


def program_transfer_learning():
    X, y = two_moons()
    inputs, labels = torch.tensor(X), torch.tensor(y)
    backbone = nn.Sequential(nn.Linear(2, 24), nn.Tanh())
    model = nn.Sequential(backbone, nn.Linear(24, 5))
    for param in model.parameters():
        param.requires_grad = False
    model[1] = nn.Linear(24, 2)
    trainable = [p for p in model.parameters() if p.requires_grad]
    assert len(trainable) == 2
    assert sum(p.numel() for p in model.parameters() if p.requires_grad) == 50
    before = backbone[0].weight.clone()
    optimizer = optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.05)
    for _ in range(30):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
    close(backbone[0].weight, before)
    assert loss.item() < 0.5


def program_weight_initialization():
    def init_weights(m):
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
            m.bias.data.fill_(0.01)

    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    net.apply(init_weights)
    close(net[0].bias, np.full(32, 0.01))
    limit = math.sqrt(6 / (64 + 32))
    assert net[0].weight.abs().max() <= limit
    nn.init.normal_(net[0].weight, mean=0.0, std=0.02)
    close(net[0].weight.std(), 0.02, atol=0.002)
    nn.init.kaiming_normal_(net[2].weight, nonlinearity="relu")
    names = [name for name, p in net.named_parameters()]
    assert names == ["0.weight", "0.bias", "2.weight", "2.bias"]
    total = sum(p.numel() for p in net.parameters())
    assert total == 64 * 32 + 32 + 32 * 10 + 10
    assert "Linear" in str(net)
    assert [type(m).__name__ for m in net.children()] == ["Linear", "ReLU", "Linear"]


def program_losses():
    pred = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    target = torch.tensor([[1.5, 2.0], [2.0, 6.0]])
    close(nn.MSELoss()(pred, target), 5.25 / 4)
    close(nn.L1Loss()(pred, target), 3.5 / 4)
    close(F.smooth_l1_loss(pred, target), (0.125 + 0 + 0.5 + 1.5) / 4)
    close(nn.HuberLoss()(pred, target), (0.125 + 0 + 0.5 + 1.5) / 4)
    close(F.mse_loss(pred, target, reduction="none"), [[0.25, 0], [1, 4]])
    logits = torch.tensor([[2.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    labels = torch.tensor([0, 2])
    z = np.array([[2.0, 0, -1], [0, 1, 0]])
    logp = z - np.log(np.exp(z).sum(1, keepdims=True))
    ce = -(logp[0, 0] + logp[1, 2]) / 2
    close(nn.CrossEntropyLoss()(logits, labels), ce)
    close(F.cross_entropy(logits, labels), ce)
    close(nn.NLLLoss()(F.log_softmax(logits, dim=1), labels), ce)
    weight = torch.tensor([1.0, 1.0, 3.0])
    close(nn.CrossEntropyLoss(weight=weight)(logits, labels), -(logp[0, 0] + 3 * logp[1, 2]) / 4)
    close(F.cross_entropy(logits, torch.tensor([0, -100])), -logp[0, 0])
    p = torch.log(torch.tensor([[0.5, 0.5]]))
    q = torch.tensor([[0.25, 0.75]])
    close(nn.KLDivLoss(reduction="batchmean")(p, q), 0.25 * math.log(0.5) + 0.75 * math.log(1.5))
    pos = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0]))
    close(pos(torch.tensor([0.0, 0.0]), torch.tensor([1.0, 0.0])), 1.5 * math.log(2))


def program_evaluation_loop():
    model = nn.Linear(3, 3)
    with torch.no_grad():
        model.weight.copy_(torch.eye(3))
        model.bias.zero_()
    x = torch.tensor(np.eye(3, dtype=np.float32)[[0, 1, 2, 2]])
    y = torch.tensor([0, 1, 2, 0])
    loader = DataLoader(TensorDataset(x, y), batch_size=2, shuffle=False)
    correct = total = 0
    all_preds = []
    model.eval()
    with torch.no_grad():
        for inputs, labels in loader:
            predicted = model(inputs).argmax(dim=1)
            total += labels.size(0)
            correct += (predicted == labels).sum().item()
            all_preds.extend(predicted.tolist())
    assert (correct, total) == (3, 4)
    assert all_preds == [0, 1, 2, 2]
    print(f"Accuracy: {100 * correct / total:.1f}%")


def program_predicted_classes_by_max():
    outputs = torch.tensor([[0.1, 2.0, 0.3], [1.5, 0.2, 0.1]])
    _, predicted = torch.max(outputs, 1)
    equal(predicted, [1, 0])


def program_dropout_and_modes():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(10, 10), nn.Dropout(p=0.5), nn.BatchNorm1d(10))
    x = torch.randn(32, 10)
    model.train()
    model(x)
    assert model.training
    model.eval()
    assert not model[1].training
    close(model(x), model(x))
    drop = nn.Dropout(0.5)
    out = drop(torch.ones(2000))
    close(out.mean(), 1, atol=0.1)
    assert sorted(torch.unique(out).tolist()) == [0.0, 2.0]
    close(F.dropout(torch.ones(5), p=0.5, training=False), np.ones(5))
