"""Networks that PyTorch's users build: images, sequences, attention, generation, reinforcement."""

import math
import numpy as np
import ember_ml as torch
import ember_ml.nn as nn
import ember_ml.nn.functional as F
import ember_ml.optim as optim
from check import close, equal


def train(model, loss_of, steps, lr=0.01):
    """Takes Adam steps and returns the first and the last loss."""
    optimizer = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of(model)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses[0], losses[-1]


def stripes(n=32, size=12):
    """Images of horizontal (0) and vertical (1) stripes with noise."""
    rng = np.random.default_rng(0)
    wave = np.sin(np.arange(size) * np.pi / 2)
    labels = np.arange(n) % 2
    images = np.stack([np.broadcast_to(wave if v else wave[:, None], (size, size)) for v in labels])
    return (images + 0.2 * rng.normal(size=images.shape))[:, None].astype(np.float32), labels


def program_convolutional_network():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 4, 3)
            self.pool = nn.MaxPool2d(2, 2)
            self.conv2 = nn.Conv2d(4, 8, kernel_size=3, padding=1)
            self.fc1 = nn.Linear(8 * 2 * 2, 16)
            self.fc2 = nn.Linear(16, 2)

        def forward(self, x):
            x = self.pool(F.relu(self.conv1(x)))
            x = self.pool(F.relu(self.conv2(x)))
            x = torch.flatten(x, 1)
            x = F.relu(self.fc1(x))
            return self.fc2(x)

    images, labels = stripes()
    x, y = torch.from_numpy(images), torch.from_numpy(labels)
    net = Net()
    assert net(x).shape == (32, 2)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(12):
        running_loss = 0.0
        for i in range(0, 32, 16):
            optimizer.zero_grad()
            loss = criterion(net(x[i : i + 16]), y[i : i + 16])
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
    assert running_loss / 2 < 0.3
    assert (net(x).argmax(dim=1) == y).float().mean().item() > 0.95


def program_blitz_network():
    class Net(nn.Module):
        def __init__(self):
            super(Net, self).__init__()
            self.conv1 = nn.Conv2d(1, 6, 5)
            self.conv2 = nn.Conv2d(6, 16, 5)
            self.fc1 = nn.Linear(16 * 5 * 5, 120)
            self.fc2 = nn.Linear(120, 84)
            self.fc3 = nn.Linear(84, 10)

        def forward(self, input):
            c1 = F.relu(self.conv1(input))
            s2 = F.max_pool2d(c1, (2, 2))
            c3 = F.relu(self.conv2(s2))
            s4 = F.max_pool2d(c3, 2)
            s4 = torch.flatten(s4, 1)
            f5 = F.relu(self.fc1(s4))
            f6 = F.relu(self.fc2(f5))
            return self.fc3(f6)

    net = Net()
    params = list(net.parameters())
    assert len(params) == 10
    assert params[0].size() == (6, 1, 5, 5)
    out = net(torch.randn(1, 1, 32, 32))
    assert out.shape == (1, 10)
    net.zero_grad()
    target = torch.randn(10).view(1, -1)
    loss = nn.MSELoss()(net(torch.randn(1, 1, 32, 32)), target)
    loss.backward()
    assert net.conv1.bias.grad.shape == (6,)
    before = net.conv1.bias.data.clone()
    learning_rate = 0.01
    for f in net.parameters():
        f.data.sub_(f.grad.data * learning_rate)
    close(net.conv1.bias, before - 0.01 * net.conv1.bias.grad)


def program_residual_block():
    class ResidualBlock(nn.Module):
        def __init__(self, in_channels, out_channels, stride=1):
            super().__init__()
            self.conv1 = nn.Conv2d(
                in_channels, out_channels, 3, stride=stride, padding=1, bias=False
            )
            self.bn1 = nn.BatchNorm2d(out_channels)
            self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False)
            self.bn2 = nn.BatchNorm2d(out_channels)
            self.relu = nn.ReLU(inplace=True)
            self.downsample = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, 1, stride=stride, bias=False),
                nn.BatchNorm2d(out_channels),
            )

        def forward(self, x):
            identity = self.downsample(x)
            out = self.relu(self.bn1(self.conv1(x)))
            out = self.bn2(self.conv2(out))
            out += identity
            return self.relu(out)

    net = nn.Sequential(
        ResidualBlock(1, 4),
        ResidualBlock(4, 8, stride=2),
        nn.AdaptiveAvgPool2d((1, 1)),
        nn.Flatten(),
        nn.Linear(8, 2),
    )
    images, labels = stripes(16, 8)
    x, y = torch.tensor(images), torch.tensor(labels)
    first, last = train(net, lambda m: F.cross_entropy(m(x), y), 12, lr=0.02)
    assert last < 0.3 < first


def program_autoencoder():
    class Autoencoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3))
            self.decoder = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 8), nn.Sigmoid())

        def forward(self, x):
            return self.decoder(self.encoder(x))

    x = torch.eye(8)
    first, last = train(Autoencoder(), lambda m: F.mse_loss(m(x), x), 150, lr=0.02)
    assert last < 0.5 * first


def program_transposed_convolutions():
    decoder = nn.Sequential(
        nn.ConvTranspose2d(8, 4, kernel_size=2, stride=2),
        nn.ReLU(),
        nn.ConvTranspose2d(4, 1, 4, 2, 1),
        nn.Tanh(),
    )
    out = decoder(torch.randn(2, 8, 3, 3))
    assert out.shape == (2, 1, 12, 12)
    assert out.abs().max() <= 1
    up = nn.Upsample(scale_factor=2, mode="nearest")
    equal(up(torch.tensor([[[[1.0, 2.0]]]])), [[[[1, 1, 2, 2], [1, 1, 2, 2]]]])
    resized = F.interpolate(
        torch.arange(4.0).view(1, 1, 2, 2), size=(4, 4), mode="bilinear", align_corners=False
    )
    close(resized[0, 0, 0], [0, 0.25, 0.75, 1])


def program_variational_autoencoder():
    class VAE(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = nn.Linear(16, 12)
            self.fc21 = nn.Linear(12, 2)
            self.fc22 = nn.Linear(12, 2)
            self.fc3 = nn.Linear(2, 12)
            self.fc4 = nn.Linear(12, 16)

        def encode(self, x):
            h1 = F.relu(self.fc1(x))
            return self.fc21(h1), self.fc22(h1)

        def reparameterize(self, mu, logvar):
            std = torch.exp(0.5 * logvar)
            eps = torch.randn_like(std)
            return mu + eps * std

        def decode(self, z):
            return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

        def forward(self, x):
            mu, logvar = self.encode(x.view(-1, 16))
            z = self.reparameterize(mu, logvar)
            return self.decode(z), mu, logvar

    def loss_function(recon_x, x, mu, logvar):
        BCE = F.binary_cross_entropy(recon_x, x.view(-1, 16), reduction="sum")
        KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return BCE + KLD

    x = torch.cat([torch.eye(4).repeat_interleave(4, dim=0).view(4, 4, 4)] * 4)
    first, last = train(VAE(), lambda m: loss_function(*swap(m(x), x)), 60, lr=0.01)
    assert last < first
    close(-0.5 * torch.sum(1 + torch.zeros(3) - torch.ones(3) - torch.ones(3)), 1.5)


def swap(outputs, x):
    reconstruction, mu, logvar = outputs
    return reconstruction, x, mu, logvar


def program_generative_adversarial_step():
    generator = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
    discriminator = nn.Sequential(
        nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid()
    )
    adversarial_loss = nn.BCELoss()
    optimizer_G = optim.Adam(generator.parameters(), lr=0.002, betas=(0.5, 0.999))
    optimizer_D = optim.Adam(discriminator.parameters(), lr=0.02, betas=(0.5, 0.999))
    real = 0.1 * torch.randn(32, 2) + 3
    valid, fake = torch.ones(32, 1), torch.zeros(32, 1)
    frozen = generator[0].weight.detach().clone()
    for _ in range(15):
        optimizer_D.zero_grad()
        gen = generator(torch.randn(32, 4))
        real_loss = adversarial_loss(discriminator(real), valid)
        fake_loss = adversarial_loss(discriminator(gen.detach()), fake)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        optimizer_D.step()
    close(generator[0].weight, frozen)
    assert d_loss.item() < 0.6
    optimizer_G.zero_grad()
    g_loss = adversarial_loss(discriminator(generator(torch.randn(32, 4))), valid)
    g_loss.backward()
    optimizer_G.step()
    assert not torch.allclose(generator[0].weight, frozen)


def program_word_embeddings():
    text = "the cat sat on the mat and the dog sat on the rug".split()
    vocab = sorted(set(text))
    word_to_ix = {word: i for i, word in enumerate(vocab)}
    trigrams = [([text[i], text[i + 1]], text[i + 2]) for i in range(len(text) - 2)]

    class NGramLanguageModeler(nn.Module):
        def __init__(self, vocab_size, embedding_dim, context_size):
            super().__init__()
            self.embeddings = nn.Embedding(vocab_size, embedding_dim)
            self.linear1 = nn.Linear(context_size * embedding_dim, 32)
            self.linear2 = nn.Linear(32, vocab_size)

        def forward(self, inputs):
            embeds = self.embeddings(inputs).view((1, -1))
            out = F.relu(self.linear1(embeds))
            return F.log_softmax(self.linear2(out), dim=1)

    model = NGramLanguageModeler(len(vocab), 8, 2)
    loss_function = nn.NLLLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for epoch in range(6):
        total_loss = 0
        for context, target in trigrams:
            context_idxs = torch.tensor([word_to_ix[w] for w in context], dtype=torch.long)
            model.zero_grad()
            log_probs = model(context_idxs)
            loss = loss_function(log_probs, torch.tensor([word_to_ix[target]], dtype=torch.long))
            loss.backward()
            optimizer.step()
            total_loss += loss.item()
        losses.append(total_loss)
    assert losses[-1] < losses[0]
    assert model.embeddings.weight[word_to_ix["cat"]].shape == (8,)


def program_sequence_tagging():
    class LSTMTagger(nn.Module):
        def __init__(self, embedding_dim, hidden_dim, vocab_size, tagset_size):
            super().__init__()
            self.word_embeddings = nn.Embedding(vocab_size, embedding_dim)
            self.lstm = nn.LSTM(embedding_dim, hidden_dim)
            self.hidden2tag = nn.Linear(hidden_dim, tagset_size)

        def forward(self, sentence):
            embeds = self.word_embeddings(sentence)
            lstm_out, _ = self.lstm(embeds.view(len(sentence), 1, -1))
            tag_space = self.hidden2tag(lstm_out.view(len(sentence), -1))
            return F.log_softmax(tag_space, dim=1)

    model = LSTMTagger(6, 8, 5, 3)
    sentence = torch.tensor([0, 1, 2, 3, 4], dtype=torch.long)
    tags = torch.tensor([0, 1, 2, 0, 1], dtype=torch.long)
    first, last = train(model, lambda m: F.nll_loss(m(sentence), tags), 30, lr=0.05)
    assert last < 0.2 < first
    with torch.no_grad():
        equal(model(sentence).argmax(dim=1), [0, 1, 2, 0, 1])


def program_character_rnn():
    class RNN(nn.Module):
        def __init__(self, input_size, hidden_size, output_size):
            super().__init__()
            self.hidden_size = hidden_size
            self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
            self.h2o = nn.Linear(hidden_size, output_size)
            self.softmax = nn.LogSoftmax(dim=1)

        def forward(self, input, hidden):
            combined = torch.cat((input, hidden), 1)
            hidden = torch.tanh(self.i2h(combined))
            return self.softmax(self.h2o(hidden)), hidden

        def init_hidden(self):
            return torch.zeros(1, self.hidden_size)

    letters = "abcdeilmnoru"

    def line_to_tensor(line):
        tensor = torch.zeros(len(line), 1, len(letters))
        for li, letter in enumerate(line):
            tensor[li][0][letters.find(letter)] = 1
        return tensor

    rnn = RNN(len(letters), 16, 2)
    criterion = nn.NLLLoss()
    names = [("marino", 0), ("ubaldo", 0), ("manuel", 1), ("eric", 1)]
    tensor = line_to_tensor("mario")
    assert tensor.shape == (5, 1, 12) and tensor.sum() == 5
    losses = []
    for _ in range(5):
        total = 0.0
        for name, category in names:
            hidden = rnn.init_hidden()
            rnn.zero_grad()
            line = line_to_tensor(name)
            for i in range(line.size()[0]):
                output, hidden = rnn(line[i], hidden)
            loss = criterion(output, torch.tensor([category], dtype=torch.long))
            loss.backward()
            for p in rnn.parameters():
                p.data.add_(p.grad.data, alpha=-0.1)
            total += loss.item()
        losses.append(total)
    assert losses[-1] < losses[0]


def program_lstm_forecast():
    class Forecast(nn.Module):
        def __init__(self, hidden=12):
            super().__init__()
            self.lstm = nn.LSTM(input_size=1, hidden_size=hidden, num_layers=1, batch_first=True)
            self.linear = nn.Linear(hidden, 1)

        def forward(self, x):
            out, (h_n, c_n) = self.lstm(x)
            return self.linear(out[:, -1, :])

    series = np.sin(0.3 * np.arange(60)).astype(np.float32)
    X = torch.tensor(np.stack([series[i : i + 8] for i in range(50)])).unsqueeze(-1)
    y = torch.tensor(series[8:58]).unsqueeze(-1)
    first, last = train(Forecast(), lambda m: nn.MSELoss()(m(X), y), 40, lr=0.02)
    assert last < 0.05 < first


def program_gru_classifier():
    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(10, 8, padding_idx=0)
            self.gru = nn.GRU(8, 8, batch_first=True, bidirectional=True)
            self.fc = nn.Linear(16, 1)
            self.dropout = nn.Dropout(0.0)

        def forward(self, text):
            embedded = self.dropout(self.embedding(text))
            output, hidden = self.gru(embedded)
            hidden = torch.cat((hidden[-2, :, :], hidden[-1, :, :]), dim=1)
            return self.fc(hidden).squeeze(1)

    rng = np.random.default_rng(0)
    tokens = rng.integers(1, 10, (24, 6))
    labels = (tokens == 7).any(1).astype(np.float32)
    text, y = torch.tensor(tokens), torch.tensor(labels)
    model = Classifier()
    assert model(text).shape == (24,)
    first, last = train(
        model, lambda m: F.binary_cross_entropy_with_logits(m(text), y), 30, lr=0.05
    )
    assert last < 0.25
    equal(model.embedding(torch.tensor([0])), np.zeros((1, 8)))


def program_attention_by_hand():
    def attention(q, k, v, mask=None):
        d_k = q.size(-1)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, v), weights

    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=(2, 3, 5, 4)).astype(np.float32) for _ in range(3))
    out, weights = attention(torch.tensor(q), torch.tensor(k), torch.tensor(v))
    s = q @ k.transpose(0, 1, 3, 2) / 2
    p = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
    close(out, p @ v)
    close(weights.sum(-1), np.ones((2, 3, 5)))
    close(F.scaled_dot_product_attention(torch.tensor(q), torch.tensor(k), torch.tensor(v)), p @ v)
    causal = torch.tril(torch.ones(5, 5))
    out, weights = attention(torch.tensor(q), torch.tensor(k), torch.tensor(v), causal)
    close(weights[0, 0, 0], [1, 0, 0, 0, 0])
    fast = F.scaled_dot_product_attention(
        torch.tensor(q), torch.tensor(k), torch.tensor(v), is_causal=True
    )
    close(fast, out)


def program_small_gpt():
    text = "hello world, hello ember, hello world. "
    chars = sorted(list(set(text)))
    stoi = {ch: i for i, ch in enumerate(chars)}
    itos = {i: ch for i, ch in enumerate(chars)}
    data = torch.tensor([stoi[c] for c in text], dtype=torch.long)
    block_size, n_embd, vocab_size = 8, 16, len(chars)

    class Head(nn.Module):
        def __init__(self, head_size):
            super().__init__()
            self.key = nn.Linear(n_embd, head_size, bias=False)
            self.query = nn.Linear(n_embd, head_size, bias=False)
            self.value = nn.Linear(n_embd, head_size, bias=False)
            self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

        def forward(self, x):
            B, T, C = x.shape
            k, q = self.key(x), self.query(x)
            wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
            wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
            wei = F.softmax(wei, dim=-1)
            return wei @ self.value(x)

    class Block(nn.Module):
        def __init__(self, n_head):
            super().__init__()
            self.heads = nn.ModuleList([Head(n_embd // n_head) for _ in range(n_head)])
            self.ffwd = nn.Sequential(
                nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd)
            )
            self.ln1 = nn.LayerNorm(n_embd)
            self.ln2 = nn.LayerNorm(n_embd)

        def forward(self, x):
            y = self.ln1(x)
            x = x + torch.cat([h(y) for h in self.heads], dim=-1)
            return x + self.ffwd(self.ln2(x))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.token_embedding_table = nn.Embedding(vocab_size, n_embd)
            self.position_embedding_table = nn.Embedding(block_size, n_embd)
            self.blocks = nn.Sequential(*[Block(2) for _ in range(1)])
            self.lm_head = nn.Linear(n_embd, vocab_size)

        def forward(self, idx, targets=None):
            B, T = idx.shape
            tok_emb = self.token_embedding_table(idx)
            pos_emb = self.position_embedding_table(torch.arange(T))
            logits = self.lm_head(self.blocks(tok_emb + pos_emb))
            if targets is None:
                return logits, None
            B, T, C = logits.shape
            return logits, F.cross_entropy(logits.view(B * T, C), targets.view(B * T))

        def generate(self, idx, max_new_tokens):
            for _ in range(max_new_tokens):
                logits, _ = self(idx[:, -block_size:])
                probs = F.softmax(logits[:, -1, :], dim=-1)
                idx_next = torch.multinomial(probs, num_samples=1)
                idx = torch.cat((idx, idx_next), dim=1)
            return idx

    ix = torch.arange(0, len(data) - block_size, 4).tolist()
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
    model = GPT()
    first, last = train(model, lambda m: m(x, y)[1], 30, lr=0.01)
    assert last < 0.75 * first
    with torch.no_grad():
        out = model.generate(torch.zeros((1, 1), dtype=torch.long), max_new_tokens=6)
    assert out.shape == (1, 7)
    assert all(c in chars for c in "".join(itos[i] for i in out[0].tolist()))


def program_bigram_model():
    words = ["emma", "ava", "mia", "ema"]
    chars = sorted(set("".join(words)))
    stoi = {s: i + 1 for i, s in enumerate(chars)}
    stoi["."] = 0
    N = torch.zeros((len(stoi), len(stoi)), dtype=torch.int32)
    for w in words:
        chs = ["."] + list(w) + ["."]
        for ch1, ch2 in zip(chs, chs[1:]):
            N[stoi[ch1], stoi[ch2]] += 1
    assert N[0].sum() == 4 and N[stoi["a"], 0] == 4
    P = (N + 1).float()
    P /= P.sum(1, keepdim=True)
    close(P.sum(1), np.ones(len(stoi)))
    xs = torch.tensor([0, stoi["e"]])
    xenc = F.one_hot(xs, num_classes=len(stoi)).float()
    W = torch.zeros((len(stoi), len(stoi)), requires_grad=True)
    loss = None
    for k in range(5):
        logits = xenc @ W
        counts = logits.exp()
        probs = counts / counts.sum(1, keepdims=True)
        loss = -probs[torch.arange(2), torch.tensor([1, 2])].log().mean()
        W.grad = None
        loss.backward()
        W.data += -1.0 * W.grad
    assert loss.item() < math.log(len(stoi))


def program_transformer_encoder():
    class PositionalEncoding(nn.Module):
        def __init__(self, d_model, max_len=32):
            super().__init__()
            position = torch.arange(max_len).unsqueeze(1)
            div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
            pe = torch.zeros(max_len, 1, d_model)
            pe[:, 0, 0::2] = torch.sin(position * div_term)
            pe[:, 0, 1::2] = torch.cos(position * div_term)
            self.register_buffer("pe", pe)

        def forward(self, x):
            return x + self.pe[: x.size(0)]

    class Model(nn.Module):
        def __init__(self, vocab, d_model):
            super().__init__()
            self.d_model = d_model
            self.encoder = nn.Embedding(vocab, d_model)
            self.pos_encoder = PositionalEncoding(d_model)
            layer = nn.TransformerEncoderLayer(d_model, nhead=2, dim_feedforward=16, dropout=0.0)
            self.transformer_encoder = nn.TransformerEncoder(layer, num_layers=1)
            self.linear = nn.Linear(d_model, vocab)

        def forward(self, src):
            src = self.pos_encoder(self.encoder(src) * math.sqrt(self.d_model))
            return self.linear(self.transformer_encoder(src))

    model = Model(6, 8)
    src = torch.tensor(np.arange(10).reshape(5, 2) % 6)
    position = np.arange(32)[:, None] * np.exp(np.arange(0, 8, 2) * (-math.log(10000.0) / 8))
    close(model.pos_encoder.pe[:, 0, 0::2], np.sin(position), atol=1e-4)
    first, last = train(
        model, lambda m: F.cross_entropy(m(src).view(-1, 6), src.view(-1)), 15, lr=0.02
    )
    assert last < 0.6 * first


def program_multihead_attention():
    mha = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
    x = torch.randn(2, 5, 8)
    out, weights = mha(x, x, x)
    assert out.shape == (2, 5, 8) and weights.shape == (2, 5, 5)
    close(weights.sum(-1), np.ones((2, 5)))
    mask = torch.triu(torch.ones(5, 5), diagonal=1).bool()
    out, weights = mha(x, x, x, attn_mask=mask)
    close(weights[:, 0, 1:], np.zeros((2, 4)))


def program_seq2seq():
    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(7, 8)
            self.gru = nn.GRU(8, 12, batch_first=True)

        def forward(self, x):
            return self.gru(self.embedding(x))

    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(7, 8)
            self.gru = nn.GRU(8, 12, batch_first=True)
            self.out = nn.Linear(12, 7)

        def forward(self, hidden, target):
            start = torch.zeros(target.size(0), 1, dtype=torch.long)
            decoder_input = torch.cat([start, target[:, :-1]], dim=1)
            output, hidden = self.gru(F.relu(self.embedding(decoder_input)), hidden)
            return self.out(output)

    class Translator(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.decoder = Encoder(), Decoder()

        def forward(self, source, target):
            _, hidden = self.encoder(source)
            return self.decoder(hidden, target)

    rng = np.random.default_rng(0)
    source = torch.tensor(rng.integers(1, 7, (12, 3)))
    target = torch.flip(source, [1])
    first, last = train(
        Translator(),
        lambda m: F.cross_entropy(m(source, target).view(-1, 7), target.reshape(-1)),
        40,
        lr=0.03,
    )
    assert last < 0.5 * first


def program_q_learning_step():
    policy_net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    target_net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    target_net.load_state_dict(policy_net.state_dict())
    optimizer = optim.AdamW(policy_net.parameters(), lr=1e-2, amsgrad=False)
    state = torch.randn(8, 4)
    action = torch.tensor([[0], [1], [0], [1], [1], [0], [1], [0]])
    reward = torch.ones(8)
    non_final_mask = torch.tensor([True] * 6 + [False] * 2)
    next_state = torch.randn(6, 4)
    state_action_values = policy_net(state).gather(1, action)
    next_state_values = torch.zeros(8)
    with torch.no_grad():
        next_state_values[non_final_mask] = target_net(next_state).amax(dim=1)
    expected = (next_state_values * 0.99) + reward
    close(expected[6:], [1, 1])
    criterion = nn.SmoothL1Loss()
    loss = criterion(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    target_state, policy_state = target_net.state_dict(), policy_net.state_dict()
    for key in policy_state:
        target_state[key] = policy_state[key] * 0.5 + target_state[key] * 0.5
    target_net.load_state_dict(target_state)
    with torch.no_grad():
        greedy = policy_net(state[:1]).argmax(dim=1).view(1, 1)
    assert greedy.shape == (1, 1) and greedy.item() in (0, 1)


def program_policy_gradient():
    policy = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2), nn.Softmax(dim=-1))
    optimizer = optim.Adam(policy.parameters(), lr=0.1)
    states = torch.eye(2)
    for _ in range(40):
        probs = policy(states)
        m = torch.distributions.Categorical(probs)
        action = m.sample()
        reward = (action == torch.tensor([0, 1])).float()
        loss = (-m.log_prob(action) * (reward - 0.5)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    final = policy(states)
    assert final[0, 0] > 0.6 and final[1, 1] > 0.6


def program_metric_learning():
    anchor = torch.tensor([[1.0, 0.0]])
    positive = torch.tensor([[0.9, 0.1]])
    negative = torch.tensor([[-1.0, 0.0]])
    triplet = nn.TripletMarginLoss(margin=3.0, p=2)
    close(triplet(anchor, positive, negative), math.sqrt(0.02) - 2 + 3, atol=1e-4)
    close(nn.CosineSimilarity(dim=1)(anchor, positive), [0.9 / math.sqrt(0.82)])
    net = nn.Linear(2, 2)
    x1, x2 = torch.randn(6, 2), torch.randn(6, 2)
    label = torch.tensor([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])

    def contrastive(m):
        d = F.pairwise_distance(m(x1), m(x2))
        return torch.mean(label * d.pow(2) + (1 - label) * torch.clamp(2.0 - d, min=0.0).pow(2))

    first, last = train(net, contrastive, 40, lr=0.05)
    assert last < first


def program_recommender():
    class MatrixFactorization(nn.Module):
        def __init__(self, n_users, n_items, n_factors=3):
            super().__init__()
            self.user_factors = nn.Embedding(n_users, n_factors)
            self.item_factors = nn.Embedding(n_items, n_factors)
            self.user_bias = nn.Embedding(n_users, 1)

        def forward(self, user, item):
            dot = (self.user_factors(user) * self.item_factors(item)).sum(dim=1)
            return dot + self.user_bias(user).squeeze(1)

    users = torch.tensor([0, 0, 1, 1, 2, 2])
    items = torch.tensor([0, 1, 1, 2, 0, 2])
    ratings = torch.tensor([5.0, 3.0, 4.0, 1.0, 4.0, 2.0])
    model = MatrixFactorization(3, 3)
    first, last = train(model, lambda m: F.mse_loss(m(users, items), ratings), 120, lr=0.1)
    assert last < 0.1


def program_physics_informed():
    net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    t = torch.linspace(0, 1, 12).view(-1, 1).requires_grad_(True)
    optimizer = optim.Adam(net.parameters(), lr=0.03)
    for _ in range(60):
        optimizer.zero_grad()
        u = net(t)
        dudt = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
        loss = torch.mean((dudt + u) ** 2) + (net(torch.zeros(1, 1)) - 1).pow(2).sum()
        loss.backward()
        optimizer.step()
    close(net(torch.tensor([[0.5]])), [[math.exp(-0.5)]], atol=0.15)


def program_one_dimensional_convolutions():
    model = nn.Sequential(
        nn.Conv1d(1, 4, kernel_size=5, stride=2, padding=2),
        nn.BatchNorm1d(4),
        nn.ReLU(),
        nn.MaxPool1d(2),
        nn.AdaptiveAvgPool1d(1),
        nn.Flatten(),
        nn.Linear(4, 2),
    )
    t = np.arange(32)
    waves = np.stack([np.sin(t * (0.3 if i % 2 else 1.5) + i) for i in range(16)])
    x = torch.tensor(waves[:, None], dtype=torch.float32)
    y = torch.tensor(np.arange(16) % 2)
    assert model(x).shape == (16, 2)
    first, last = train(model, lambda m: F.cross_entropy(m(x), y), 25, lr=0.05)
    assert last < 0.3
    conv = nn.Conv1d(1, 1, 3, bias=False)
    with torch.no_grad():
        conv.weight[:] = torch.tensor([[[1.0, 0.0, -1.0]]])
    close(conv(torch.tensor([[[1.0, 2.0, 4.0, 8.0]]])), [[[-3, -6]]])


def program_unet():
    class DoubleConv(nn.Module):
        def __init__(self, i, o):
            super().__init__()
            self.seq = nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.ReLU(inplace=True))

        def forward(self, x):
            return self.seq(x)

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down = DoubleConv(1, 4)
            self.pool = nn.MaxPool2d(2)
            self.bottom = DoubleConv(4, 8)
            self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
            self.last = DoubleConv(8, 4)
            self.out = nn.Conv2d(4, 1, kernel_size=1)

        def forward(self, x):
            d = self.down(x)
            b = self.bottom(self.pool(d))
            return self.out(self.last(torch.cat([self.up(b), d], dim=1)))

    images, _ = stripes(4, 8)
    x = torch.tensor(images)
    mask = (x > 0.5).float()
    model = UNet()
    assert model(x).shape == x.shape
    first, last = train(
        model, lambda m: F.binary_cross_entropy_with_logits(m(x), mask), 15, lr=0.05
    )
    assert last < 0.6 * first


def program_diffusion_schedule():
    T = 50
    betas = torch.linspace(1e-4, 0.02, T)
    alphas = 1.0 - betas
    alphas_cumprod = torch.cumprod(alphas, dim=0)
    b = np.linspace(1e-4, 0.02, T)
    close(alphas_cumprod, np.cumprod(1 - b))
    x0 = torch.ones(4, 3)
    t = torch.randint(0, T, (4,))
    noise = torch.randn_like(x0)
    a = alphas_cumprod[t].view(-1, 1)
    xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
    close((xt - (1 - a).sqrt() * noise) / a.sqrt(), x0, atol=1e-4)
    time = torch.exp(torch.arange(4) * -(math.log(10000) / 3))
    emb = t[:, None] * time[None, :]
    emb = torch.cat((emb.sin(), emb.cos()), dim=-1)
    assert emb.shape == (4, 8)
