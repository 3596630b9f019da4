"""More of torch's tutorials and recipes: schedules, checkpoints, sequences, attacks, distributions."""

import copy
import math
import numpy as np
import ember_ml as torch
from ember_ml import nn, optim
from ember_ml.nn import functional as F
from ember_ml.utils.data import DataLoader, Dataset, TensorDataset
from check import close, equal


def blobs(n=60):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    x = 0.4 * rng.normal(size=(n, 4))
    x[np.arange(n), y] += 2
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


def program_rates_of_schedulers():
    model = nn.Linear(1, 1)

    def rates(make, n=6):
        optimizer = optim.SGD(model.parameters(), lr=1.0)
        scheduler = make(optimizer)
        seen = []
        for _ in range(n):
            seen.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        return seen

    s = optim.lr_scheduler
    close(rates(lambda o: s.StepLR(o, step_size=2, gamma=0.1)), [1, 1, 0.1, 0.1, 0.01, 0.01])
    close(rates(lambda o: s.ExponentialLR(o, gamma=0.5), 3), [1, 0.5, 0.25])
    close(rates(lambda o: s.MultiStepLR(o, milestones=[1, 3], gamma=0.5), 4), [1, 0.5, 0.5, 0.25])
    close(rates(lambda o: s.LambdaLR(o, lr_lambda=lambda e: 1 / (1 + e)), 3), [1, 0.5, 1 / 3])
    cosine = [(1 + math.cos(math.pi * t / 4)) / 2 for t in range(5)]
    close(rates(lambda o: s.CosineAnnealingLR(o, T_max=4), 5), cosine)
    warm = rates(
        lambda o: s.SequentialLR(
            o,
            schedulers=[
                s.LinearLR(o, start_factor=0.25, total_iters=3),
                s.ExponentialLR(o, gamma=0.5),
            ],
            milestones=[3],
        ),
        5,
    )
    close(warm, [0.25, 0.5, 0.75, 1, 0.5])


def program_best_weights_and_early_stopping():
    x, y = blobs()
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    best_loss, best_weights, bad = float("inf"), None, 0
    for epoch in range(100):
        model.train()
        optimizer.zero_grad()
        criterion(model(x[:40]), y[:40]).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            loss = criterion(model(x[40:]), y[40:]).item()
        if loss < best_loss - 1e-2:
            best_loss, best_weights, bad = loss, copy.deepcopy(model.state_dict()), 0
        else:
            bad += 1
            if bad > 3:
                break
    assert epoch < 99
    model.load_state_dict(best_weights)
    close(criterion(model(x[40:]), y[40:]).item(), best_loss, rtol=1e-3)


def program_checkpoint_in_safetensors(folder):
    x, y = blobs()
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def steps(n):
        for _ in range(n):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        return loss.item()

    steps(5)
    model.save(folder / "model.safetensors")
    torch.save(optimizer.state_dict(), str(folder / "optimizer.safetensors"))
    expected = steps(5)
    model.load(folder / "model.safetensors")
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    optimizer.load_state_dict(torch.load(str(folder / "optimizer.safetensors")))
    close(steps(5), expected)


def program_fast_gradient_sign():
    x, y = blobs()
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = optim.Adam(model.parameters(), lr=0.1)
    for _ in range(40):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    data = x.clone().detach()
    data.requires_grad = True
    output = F.log_softmax(model(data), dim=1)
    model.zero_grad()
    F.nll_loss(output, y).backward()
    perturbed = data + 1.5 * data.grad.sign()
    clean = (model(x).argmax(dim=1) == y).float().mean().item()
    attacked = (model(perturbed).argmax(dim=1) == y).float().mean().item()
    assert clean == 1.0 and attacked < clean
    close((perturbed - data).abs().max(), 1.5, rtol=1e-3)


def program_saliency():
    model = nn.Linear(6, 2, bias=False)
    image = torch.randn(1, 6, requires_grad=True)
    scores = model(image)
    scores[0, scores.argmax()].backward()
    saliency = image.grad.abs().squeeze(0)
    row = int(scores.argmax())
    close(saliency, np.abs(np.asarray(model.weight.detach())[row]))


def program_pad_and_mask_sequences():
    from ember_ml.nn.utils.rnn import pad_sequence

    sequences = [torch.arange(1, n + 1).float() for n in (3, 1, 2)]
    padded = pad_sequence(sequences, batch_first=True, padding_value=0)
    equal(padded, [[1, 2, 3], [1, 0, 0], [1, 2, 0]])
    lengths = torch.tensor([len(s) for s in sequences])
    mask = torch.arange(3)[None, :] < lengths[:, None]
    mean = (padded * mask).sum(dim=1) / lengths
    close(mean, [2, 1, 1.5])

    class Words(Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, i):
            return sequences[i], i % 2

    def collate(batch):
        texts, labels = zip(*batch)
        return pad_sequence(list(texts), batch_first=True), torch.tensor(labels)

    loader = DataLoader(Words(), batch_size=2, collate_fn=collate)
    shapes = [(t.shape, labels.tolist()) for t, labels in loader]
    assert shapes == [((2, 3), [0, 1]), ((1, 2), [0])]


def program_vision_transformer():
    class ViT(nn.Module):
        def __init__(self, patch=4, dim=16, heads=2, classes=2):
            super().__init__()
            self.patch = nn.Conv2d(1, dim, kernel_size=patch, stride=patch)
            self.cls = nn.Parameter(torch.zeros(1, 1, dim))
            self.pos = nn.Parameter(torch.randn(1, 5, dim) * 0.02)
            layer = nn.TransformerEncoderLayer(dim, heads, 32, dropout=0.0, batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, num_layers=1)
            self.head = nn.Linear(dim, classes)

        def forward(self, x):
            x = self.patch(x).flatten(2).transpose(1, 2)
            cls = self.cls.expand(x.shape[0], -1, -1)
            x = torch.cat([cls, x], dim=1) + self.pos
            return self.head(self.encoder(x)[:, 0])

    rng = np.random.default_rng(0)
    y = np.arange(24) % 2
    x = 0.1 * rng.normal(size=(24, 1, 8, 8))
    x[y == 1, :, :4] += 1
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    torch.manual_seed(0)
    model = ViT()
    optimizer = optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(12):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    assert (model(x).argmax(1) == y).float().mean().item() > 0.9


def program_graph_convolution():
    edges = torch.tensor([[0, 1], [1, 0], [1, 2], [2, 1], [3, 4], [4, 3], [4, 5], [5, 4]]).T
    n = 6
    adjacency = torch.zeros(n, n)
    adjacency[edges[0], edges[1]] = 1.0
    adjacency = adjacency + torch.eye(n)
    degree = adjacency.sum(dim=1)
    normalized = degree.pow(-0.5).diag() @ adjacency @ degree.pow(-0.5).diag()
    close(normalized[0, 1], 1 / math.sqrt(6))
    messages = torch.zeros(n, 2).index_add_(0, edges[1], torch.eye(n)[edges[0], :2])
    close(messages[:3], [[0, 1], [1, 0], [0, 1]])
    torch.manual_seed(0)
    w1, w2 = nn.Linear(6, 8), nn.Linear(8, 2)
    optimizer = optim.Adam([*w1.parameters(), *w2.parameters()], lr=0.05)
    labels = torch.tensor([0, 0, 0, 1, 1, 1])
    train = torch.tensor([0, 3])
    for _ in range(40):
        hidden = F.relu(normalized @ w1(torch.eye(n)))
        logits = normalized @ w2(hidden)
        loss = F.cross_entropy(logits[train], labels[train])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    equal(logits.argmax(dim=1), labels)


def program_skip_gram():
    text = "king queen man woman king man queen woman apple pear apple pear pear apple".split()
    vocab = {w: i for i, w in enumerate(dict.fromkeys(text))}
    ids = [vocab[w] for w in text]
    pairs = [
        (ids[i], ids[j])
        for i in range(len(ids))
        for j in range(max(0, i - 2), min(len(ids), i + 3))
        if i != j
    ]
    centers, contexts = map(torch.tensor, zip(*pairs))
    torch.manual_seed(1)
    inputs, outputs = nn.Embedding(len(vocab), 8), nn.Embedding(len(vocab), 8)
    optimizer = optim.Adam([*inputs.parameters(), *outputs.parameters()], lr=0.05)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        noise = torch.randint(0, len(vocab), (len(pairs), 3))
        v = inputs(centers)
        positive = F.logsigmoid((v * outputs(contexts)).sum(-1))
        negative = F.logsigmoid(-torch.bmm(outputs(noise), v.unsqueeze(2)).squeeze(2)).sum(-1)
        loss = -(positive + negative).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert np.mean(losses[-10:]) < 0.8 * losses[0]
    similarity = F.cosine_similarity(
        inputs.weight[vocab["apple"]], inputs.weight[vocab["pear"]], dim=0
    )
    assert -1 <= similarity.item() <= 1


def program_actor_critic_step():
    torch.manual_seed(0)
    actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
    optimizer = optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.1)
    state = torch.eye(3)
    good = torch.tensor([0, 1, 0])
    for _ in range(60):
        distribution = torch.distributions.Categorical(logits=actor(state))
        action = distribution.sample()
        reward = (action == good).float()
        value = critic(state).squeeze(-1)
        advantage = reward - value.detach()
        policy_loss = -(distribution.log_prob(action) * advantage).mean()
        value_loss = F.mse_loss(value, reward)
        loss = policy_loss + 0.5 * value_loss - 0.001 * distribution.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 1.0)
        optimizer.step()
    equal(actor(state).argmax(dim=1), good)


def program_replay_memory():
    import random
    from collections import deque, namedtuple

    Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
    memory = deque(maxlen=50)
    random.seed(0)
    for i in range(60):
        memory.append(
            Transition(
                torch.full((1, 2), float(i)),
                torch.tensor([[i % 2]]),
                None if i % 10 == 9 else torch.full((1, 2), float(i + 1)),
                torch.tensor([1.0]),
            )
        )
    assert len(memory) == 50
    batch = Transition(*zip(*random.sample(list(memory), 16)))
    mask = torch.tensor(tuple(s is not None for s in batch.next_state), dtype=torch.bool)
    next_states = torch.cat([s for s in batch.next_state if s is not None])
    states, actions = torch.cat(batch.state), torch.cat(batch.action)
    rewards = torch.cat(batch.reward)
    policy, target = nn.Linear(2, 2), nn.Linear(2, 2)
    target.load_state_dict(policy.state_dict())
    q = policy(states).gather(1, actions)
    next_values = torch.zeros(16)
    with torch.no_grad():
        next_values[mask] = target(next_states).max(dim=1).values
    expected = next_values * 0.9 + rewards
    loss = nn.SmoothL1Loss()(q, expected.unsqueeze(1))
    loss.backward()
    assert policy.weight.grad is not None
    final = ~mask
    close(expected[final], np.ones(int(final.sum())))
    weights, slow = policy.state_dict(), target.state_dict()
    for key in weights:
        slow[key] = weights[key] * 0.1 + slow[key] * 0.9
    target.load_state_dict(slow)
    close(target.weight, policy.weight)


def program_distillation():
    x, y = blobs()
    torch.manual_seed(0)
    teacher = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
    student = nn.Linear(4, 3)

    def train(model, loss_of, steps):
        optimizer = optim.Adam(model.parameters(), lr=0.05)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = loss_of(model(x))
            loss.backward()
            optimizer.step()
        return loss.item()

    train(teacher, lambda logits: F.cross_entropy(logits, y), 40)
    with torch.no_grad():
        soft = F.softmax(teacher(x) / 2, dim=-1)

    def distill(logits):
        kl = F.kl_div(F.log_softmax(logits / 2, dim=-1), soft, reduction="batchmean") * 4
        return 0.7 * kl + 0.3 * F.cross_entropy(logits, y, label_smoothing=0.1)

    train(student, distill, 60)
    equal(student(x).argmax(1), teacher(x).argmax(1))


def program_mixup_and_metrics():
    x, y = blobs(30)
    torch.manual_seed(0)
    lam = 0.7
    index = torch.randperm(x.size(0))
    mixed = lam * x + (1 - lam) * x[index, :]
    model = nn.Linear(4, 3)
    criterion = nn.CrossEntropyLoss()
    loss = lam * criterion(model(mixed), y) + (1 - lam) * criterion(model(mixed), y[index])
    targets = lam * F.one_hot(y, 3).float() + (1 - lam) * F.one_hot(y[index], 3).float()
    close(loss, criterion(model(mixed), targets), rtol=1e-3)
    prediction = model(x).argmax(1)
    confusion = torch.zeros(3, 3, dtype=torch.int64)
    for t, p in zip(y.view(-1), prediction.view(-1)):
        confusion[t.long(), p.long()] += 1
    assert confusion.sum().item() == 30
    recall = confusion.diag() / confusion.sum(1)
    assert recall.shape == (3,)


def program_weight_tying_and_buffers():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(10, 4)
            self.out = nn.Linear(4, 10, bias=False)
            self.out.weight = self.embed.weight
            self.register_buffer("steps", torch.zeros(1))
            self.scales = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(2)])
            self.blocks = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Identity()})

        def forward(self, x):
            self.steps += 1
            h = self.embed(x) * self.scales[0]
            return self.out(self.blocks["a"](h) * self.scales[1])

    model = Model()
    assert sum(p.numel() for p in model.parameters()) == 40 + 2 + 20
    assert "steps" in model.state_dict()
    model(torch.tensor([1, 2]))
    model(torch.tensor([1, 2]))
    equal(model.steps, [2])
    F.cross_entropy(model(torch.tensor([1, 2])), torch.tensor([3, 4])).backward()
    assert model.embed.weight.grad.shape == (10, 4)
    assert model.out.weight is model.embed.weight

    def init(m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.5)

    model.apply(init)
    close(model.embed.weight, np.full((10, 4), 0.5))


def program_reparameterized_sample():
    mu = torch.tensor([0.5], requires_grad=True)
    log_sigma = torch.tensor([-1.0], requires_grad=True)
    optimizer = optim.Adam([mu, log_sigma], lr=0.05)
    torch.manual_seed(0)
    target = torch.distributions.Normal(torch.tensor([2.0]), torch.tensor([0.5]))
    for _ in range(200):
        q = torch.distributions.Normal(mu, log_sigma.exp())
        loss = torch.distributions.kl_divergence(q, target).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    close(mu, [2], atol=0.05)
    close(log_sigma.exp(), [0.5], atol=0.05)
    q = torch.distributions.Normal(mu, log_sigma.exp())
    draws = q.rsample((4000,))
    close(draws.mean(), 2, atol=0.1)
    close(
        q.log_prob(torch.tensor([2.0]))[0], -math.log(0.5) - 0.5 * math.log(2 * math.pi), atol=0.1
    )


def program_seq2seq_with_attention():
    class Decoder(nn.Module):
        def __init__(self, hidden, vocab):
            super().__init__()
            self.embed = nn.Embedding(vocab, hidden)
            self.cell = nn.GRUCell(2 * hidden, hidden)
            self.out = nn.Linear(hidden, vocab)

        def forward(self, token, state, memory):
            scores = torch.bmm(memory, state.unsqueeze(2)).squeeze(2)
            weights = F.softmax(scores, dim=1)
            context = torch.bmm(weights.unsqueeze(1), memory).squeeze(1)
            state = self.cell(torch.cat((self.embed(token), context), dim=1), state)
            return self.out(state), state, weights

    torch.manual_seed(0)
    vocab, hidden, length = 6, 16, 4
    source = torch.randint(1, vocab, (32, length))
    target = source.flip(dims=[1])
    embed, encoder = nn.Embedding(vocab, hidden), nn.GRU(hidden, hidden, batch_first=True)
    decoder = Decoder(hidden, vocab)
    modules = nn.ModuleList([embed, encoder, decoder])
    optimizer = optim.Adam(modules.parameters(), lr=0.02)
    losses = []
    for step in range(15):
        memory, state = encoder(embed(source))
        state = state.squeeze(0)
        token = torch.zeros(32, dtype=torch.long)
        loss = 0
        for t in range(length):
            logits, state, weights = decoder(token, state, memory)
            loss = loss + F.cross_entropy(logits, target[:, t])
            token = target[:, t]
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(modules.parameters(), max_norm=1.0)
        optimizer.step()
        losses.append(loss.item() / length)
    close(weights.sum(dim=1), np.ones(32))
    assert losses[-1] < 0.8 * losses[0]


def program_temperature_sampling():
    torch.manual_seed(0)
    logits = torch.tensor([[2.0, 1.0, 0.0, -1.0]])

    def top_k(logits, k):
        values, _ = torch.topk(logits, k)
        return logits.masked_fill(logits < values[:, [-1]], float("-inf"))

    filtered = top_k(logits, 2)
    close(F.softmax(filtered, dim=-1), [[1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0, 0]])
    probabilities = F.softmax(filtered / 0.8, dim=-1)
    drawn = torch.multinomial(probabilities, num_samples=200, replacement=True)
    assert set(drawn.view(-1).tolist()) <= {0, 1}
    ordered, order = torch.sort(F.softmax(logits, dim=-1), dim=-1, descending=True)
    keep = ordered.cumsum(dim=-1) - ordered < 0.8
    nucleus = torch.zeros_like(keep).scatter(1, order, keep)
    equal(nucleus, [[True, True, False, False]])


def program_positional_encoding():
    d, length = 8, 10
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    pe = torch.zeros(length, 1, d)
    pe[:, 0, 0::2] = torch.sin(position * div_term)
    pe[:, 0, 1::2] = torch.cos(position * div_term)
    p = np.arange(length)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    close(pe[:, 0, 0::2], np.sin(p), atol=1e-4)
    close(pe[:, 0, 1::2], np.cos(p), atol=1e-4)
    mask = torch.triu(torch.ones(4, 4) * float("-inf"), diagonal=1)
    equal(torch.isinf(mask).sum(dim=1), [3, 2, 1, 0])


def program_siamese_and_triplets():
    x, y = blobs()
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = optim.Adam(net.parameters(), lr=0.02)
    triplet = nn.TripletMarginLoss(margin=1.0, p=2)
    first = None
    for _ in range(30):
        anchor, positive, negative = x[0:27], x[3:30], x[1:28]
        loss = triplet(net(anchor), net(positive), net(negative))
        first = loss.item() if first is None else first
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.3 * first
    distance = F.pairwise_distance(net(x[:1]), net(x[3:4]))
    assert distance.item() < F.pairwise_distance(net(x[:1]), net(x[1:2])).item()


def program_export_to_onnx(folder):
    from ember_ml import onnx

    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    model.eval()
    x, _ = blobs(6)
    onnx.save(folder / "model.onnx", model, x, input_names=["x"], output_names=["y"])
    import onnxruntime

    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    (y,) = session.run(None, {"x": x.numpy()})
    close(model(x).detach(), y)
    net = onnx.load(folder / "model.onnx")
    close(net(x), y)
