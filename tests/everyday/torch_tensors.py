"""Tensors as PyTorch's introduction shows them: only the import lines differ."""

import numpy as np
import ember_ml as torch
from check import close, equal


def program_create():
    data = [[1, 2], [3, 4]]
    x_data = torch.tensor(data)
    x_np = torch.from_numpy(np.array(data))
    equal(x_np, data)
    x_ones = torch.ones_like(x_data)
    equal(x_ones, [[1, 1], [1, 1]])
    x_rand = torch.rand_like(x_data, dtype=torch.float)
    assert x_rand.shape == (2, 2)
    shape = (2, 3)
    assert torch.rand(shape).shape == torch.zeros(shape).shape == (2, 3)
    assert torch.randn(4, 5).shape == (4, 5)
    t = torch.rand(3, 4)
    assert t.shape == (3, 4) and t.dtype == torch.float32 and str(t.device) == "cpu"
    assert t.size() == (3, 4) and t.size(1) == 4
    assert torch.arange(0, 10, 2).tolist() == [0, 2, 4, 6, 8]
    close(torch.linspace(0, 1, steps=5), [0, 0.25, 0.5, 0.75, 1])
    equal(torch.full((2, 2), 3.5), [[3.5, 3.5], [3.5, 3.5]])
    equal(torch.eye(2), [[1, 0], [0, 1]])
    assert torch.empty(3, 4).numel() == 12
    r = torch.randint(0, 10, (100,))
    assert r.min() >= 0 and r.max() < 10 and r.dtype == torch.int64
    assert sorted(torch.randperm(6).tolist()) == [0, 1, 2, 3, 4, 5]


def program_index_and_join():
    tensor = torch.ones(4, 4)
    tensor[:, 1] = 0
    equal(tensor[0], [1, 0, 1, 1])
    equal(tensor[..., -1], [1, 1, 1, 1])
    t1 = torch.cat([tensor, tensor, tensor], dim=1)
    assert t1.shape == (4, 12)
    stacked = torch.stack((tensor, tensor), dim=0)
    assert stacked.shape == (2, 4, 4)
    y1 = tensor @ tensor.T
    y2 = tensor.matmul(tensor.T)
    close(y1, y2)
    z1 = tensor * tensor
    z2 = tensor.mul(tensor)
    close(z1, z2)
    agg = tensor.sum()
    assert agg.item() == 12.0
    a, b = torch.chunk(torch.arange(10), 2)
    equal(b, [5, 6, 7, 8, 9])
    equal(torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])]), [[1, 2], [3, 4]])


def program_in_place():
    tensor = torch.zeros(2, 2)
    tensor.add_(5)
    equal(tensor, [[5, 5], [5, 5]])
    tensor += 1
    tensor.mul_(2)
    equal(tensor, [[12, 12], [12, 12]])
    tensor.zero_()
    equal(tensor, [[0, 0], [0, 0]])
    tensor.fill_(3)
    other = torch.empty(2, 2)
    other.copy_(tensor)
    equal(other, [[3, 3], [3, 3]])
    other.clamp_(max=2)
    equal(other, [[2, 2], [2, 2]])


def program_numpy_bridge():
    t = torch.ones(5)
    n = t.numpy()
    assert isinstance(n, np.ndarray) and n.tolist() == [1.0] * 5
    back = torch.from_numpy(np.arange(3.0))
    assert back.dtype == torch.float64
    equal(torch.as_tensor(np.array([1, 2])), [1, 2])
    assert t.cpu().detach().numpy().sum() == 5
    assert torch.is_tensor(t)
    equal(torch.tensor(np.float32([1, 2])) + 1, [2, 3])


def program_shapes():
    x = torch.arange(24)
    v = x.view(2, 3, 4)
    assert v.shape == (2, 3, 4)
    assert x.view(-1, 8).shape == (3, 8)
    assert v.permute(2, 0, 1).shape == (4, 2, 3)
    assert v.unsqueeze(0).shape == (1, 2, 3, 4)
    assert v.unsqueeze(-1).squeeze(-1).shape == (2, 3, 4)
    assert v.flatten(start_dim=1).shape == (2, 12)
    assert torch.flatten(v, 1).shape == (2, 12)
    assert v.reshape(6, 4).t().shape == (4, 6)
    assert v[0].expand(5, 3, 4).shape == (5, 3, 4)
    equal(v.permute(0, 2, 1).contiguous().view(2, 12)[0], [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11])
    assert v.dim() == 3 and v.ndim == 3
    a, b = torch.tensor([1, 2]).unbind()
    assert (a.item(), b.item()) == (1, 2)
    equal(v.narrow(2, 1, 2)[0, 0], [1, 2])


def program_reduce():
    x = torch.tensor([[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]])
    close(x.sum(dim=0), [5, 7, 9])
    close(x.mean(dim=1, keepdim=True), [[3], [4]])
    close(x.mean(1), [3, 4])
    equal(x.argmax(dim=1), [1, 2])
    values, indices = torch.topk(x, 2, dim=1)
    close(values, [[5, 3], [6, 4]])
    equal(indices, [[1, 2], [2, 0]])
    close(x.norm(), np.sqrt(91))
    close(torch.norm(x, dim=1), np.sqrt([35, 56]))
    close(x.cumsum(dim=1), [[1, 6, 9], [4, 6, 12]])
    assert (x > 2).sum().item() == 4
    assert torch.any(x > 5) and not torch.all(x > 5)
    close(torch.softmax(x, dim=1).sum(dim=1), [1, 1])
    close(torch.logsumexp(x, dim=1), np.log(np.exp([[1, 5, 3], [4, 2, 6]]).sum(1)))
    close(x.prod(), 720)
    assert x.max().item() == 6 and x.min() == 1


def program_max_along_dim():
    scores = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
    values, predicted = torch.max(scores, dim=1)
    close(values, [0.7, 0.5])
    equal(predicted, [1, 0])
    _, predicted = scores.max(dim=1)
    equal(predicted, [1, 0])
    labels = torch.tensor([1, 2])
    correct = (predicted == labels).sum().item()
    assert correct == 1
    accuracy = (scores.argmax(1) == labels).float().mean()
    close(accuracy, 0.5)
    equal(scores.argmax(dim=1).eq(labels), [True, False])
    result = torch.sort(scores, dim=1, descending=True)
    equal(result.indices, [[1, 2, 0], [0, 2, 1]])
    close(result[0][:, 0], [0.7, 0.5])


def program_gather_and_scatter():
    q = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    actions = torch.tensor([[0], [1], [0]])
    close(q.gather(1, actions), [[1], [4], [5]])
    close(torch.gather(q, 1, actions).squeeze(1), [1, 4, 5])
    one_hot = torch.zeros(3, 4).scatter_(1, torch.tensor([[2], [0], [3]]), 1.0)
    equal(one_hot, [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    equal(torch.index_select(q, 0, torch.tensor([2, 0])), [[5, 6], [1, 2]])
    close(q[torch.arange(3), torch.tensor([1, 0, 1])], [2, 3, 6])
    equal(q.masked_fill(q > 4, 0), [[1, 2], [3, 4], [0, 0]])
    close(torch.masked_select(q, q > 3), [4, 5, 6])
    close(torch.where(q > 3, q, torch.zeros_like(q)), [[0, 0], [0, 4], [5, 6]])


def program_arithmetic():
    a = torch.tensor([1.0, 2.0, 3.0])
    b = torch.tensor([4.0, 5.0, 6.0])
    close(torch.dot(a, b), 32)
    close(torch.add(a, b), [5, 7, 9])
    close(a.pow(2), [1, 4, 9])
    close(a.sqrt(), np.sqrt([1, 2, 3]))
    close(torch.exp(a).log(), [1, 2, 3])
    close(torch.clamp(b, min=4.5, max=5.5), [4.5, 5, 5.5])
    close(torch.sigmoid(torch.tensor(0.0)), 0.5)
    close(torch.abs(torch.tensor([-1.5])), [1.5])
    close(torch.outer(a, b), np.outer([1, 2, 3], [4, 5, 6]))
    close(torch.mm(torch.ones(2, 3), torch.ones(3, 4)), np.full((2, 4), 3))
    close(torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 4, 5)), np.full((2, 3, 5), 4))
    close(torch.einsum("i,j->ij", a, b), torch.outer(a, b))
    close(torch.cross(a, b, dim=0), [-3, 6, -3])
    assert torch.allclose(a + b, b + a)
    close(torch.tensor([5]) / 2, [2.5])
    close(a.mean(), 2)
    close(a.var(unbiased=False), 2 / 3)


def program_sort_gives_a_pair():
    values, indices = torch.sort(torch.tensor([3, 1, 2]))
    equal(values, [1, 2, 3])
    equal(indices, [1, 2, 0])


def program_equal_is_one_answer():
    assert torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2])) is True


def program_unbiased_deviation():
    close(torch.tensor([1.0, 2.0, 3.0]).std(), 1)
    close(torch.var(torch.tensor([[1.0, 3.0], [2.0, 2.0]]), dim=1), [2, 0])


def program_rows_of_nonzero():
    equal(torch.nonzero(torch.tensor([0, 3, 0, 5])), [[1], [3]])


def program_transpose_two_axes():
    equal(torch.tensor([[1, 2], [3, 4]]).transpose(0, 1), [[1, 3], [2, 4]])


def program_split_into_sizes():
    first, second, third = torch.split(torch.arange(5), 2)
    equal(first, [0, 1])
    equal(third, [4])


def program_repeat_as_tiles():
    equal(torch.tensor([1, 2]).repeat(2, 2), [[1, 2, 1, 2], [1, 2, 1, 2]])


def program_types_and_devices():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.ones(2, 2, device=device)
    assert x.to(device).shape == (2, 2)
    assert x.to(torch.float64).dtype == torch.float64
    assert x.double().dtype == torch.double
    assert x.long().dtype == torch.long
    assert x.int().dtype == torch.int32
    assert x.bool().all()
    assert torch.tensor([1, 0], dtype=torch.bool).tolist() == [True, False]
    assert x.half().float().dtype == torch.float32
    assert x.type(torch.float64).dtype == torch.float64
    y = torch.ones_like(x, dtype=torch.double)
    assert (x + y).dtype == torch.float64
    assert x.is_cuda is False


def program_seeds():
    torch.manual_seed(42)
    a = torch.rand(3)
    torch.manual_seed(42)
    b = torch.rand(3)
    equal(a, b)
    n = torch.normal(0.0, 1.0, size=(1000,))
    close(n.mean(), 0, atol=0.15)
    counts = torch.bincount(torch.multinomial(torch.tensor([0.1, 0.9]), 1000, replacement=True))
    close(counts[1] / 1000, 0.9, atol=0.05)
    flips = torch.bernoulli(torch.full((1000,), 0.3))
    close(flips.mean(), 0.3, atol=0.06)
    u = torch.empty(500).uniform_(-1, 1)
    assert u.min() >= -1 and u.max() <= 1


def program_polynomial_without_autograd():
    x = torch.linspace(-3.14159265, 3.14159265, 200)
    y = torch.sin(x)
    a, b, c, d = (torch.tensor(0.0) for _ in range(4))
    learning_rate = 1e-4
    for t in range(120):
        y_pred = a + b * x + c * x**2 + d * x**3
        grad_y_pred = 2.0 * (y_pred - y)
        a -= learning_rate * grad_y_pred.sum()
        b -= learning_rate * 0.1 * (grad_y_pred * x).sum()
        c -= learning_rate * 0.01 * (grad_y_pred * x**2).sum()
        d -= learning_rate * 0.001 * (grad_y_pred * x**3).sum()
    t = np.linspace(-np.pi, np.pi, 200)
    w = np.zeros(4)
    powers = np.stack([t**0, t, t**2, t**3])
    for _ in range(120):
        w -= 1e-4 * np.array([1, 0.1, 0.01, 0.001]) * (powers @ (2 * (w @ powers - np.sin(t))))
    close([a.item(), b.item(), c.item(), d.item()], w, atol=1e-4)


def program_printing():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert f"{x[0, 1].item():.2f}" == "2.00"
    assert f"{x.mean():.1f}" == "2.5"
    assert "tensor(" in repr(x)
    assert list(x.shape) == [2, 2]
    assert len(x) == 2
    rows, columns = x.shape
    assert (rows, columns) == (2, 2)
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert [row.sum().item() for row in x] == [3.0, 7.0]
    assert float(x[1, 1]) == 4.0
    assert x.shape[-1] == 2 and x.nelement() == 4


def program_masks_and_triangles():
    n = 4
    mask = torch.tril(torch.ones(n, n))
    scores = torch.zeros(n, n).masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    close(weights[2], [1 / 3, 1 / 3, 1 / 3, 0])
    upper = torch.triu(torch.ones(n, n), diagonal=1).bool()
    assert upper.sum() == 6
    x = torch.tensor([-1.0, 2.0, -3.0])
    x[x < 0] = 0
    equal(x, [0, 2, 0])
    lengths = torch.tensor([1, 3])
    equal(torch.arange(3)[None, :] < lengths[:, None], [[True, False, False], [True, True, True]])
    equal(torch.isnan(torch.tensor([1.0, float("nan")])), [False, True])
    equal(torch.unique(torch.tensor([3, 1, 3])), [1, 3])
    equal(torch.roll(torch.tensor([1, 2, 3]), 1), [3, 1, 2])
    equal(torch.flip(torch.tensor([1, 2, 3]), dims=[0]), [3, 2, 1])


def program_pairwise_distances():
    a = torch.tensor([[0.0, 0.0], [3.0, 4.0]])
    b = torch.tensor([[0.0, 0.0], [6.0, 8.0], [3.0, 0.0]])
    close(torch.cdist(a, b), [[0, 10, 3], [5, 5, 4]])
    close((a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(-1).sqrt(), torch.cdist(a, b))
    normalized = torch.nn.functional.normalize(a[1:], dim=1)
    close(normalized, [[0.6, 0.8]])
    close(torch.nn.functional.cosine_similarity(a[1:], b[1:2]), [1])
    u, s, v = torch.linalg.svd(b)
    close(torch.linalg.norm(s), torch.linalg.norm(b))
    close(torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]])), [[0.5, 0], [0, 0.25]])
    close(torch.inverse(torch.tensor([[2.0]])), [[0.5]])
    close(
        torch.linalg.solve(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([2.0, 4.0])), [1, 1]
    )
