"""Modules from Python: the tree, the state, subclasses among C++ layers, copies, lifetimes."""

import copy
import gc
import pickle
import subprocess
import sys
import threading
import traceback
import weakref

import numpy as np
import pytest

import ember_ml as em
from ember_ml import nn
from ember_ml.errors import DTypeError, ShapeError, StateError, UnsupportedError

from test_nn import close, numbers, value


class Net(nn.Module):
    """A module with parts of both languages."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.scale = nn.Parameter(em.ones((4,)))
        self.register_buffer("calls", em.zeros(()))
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.note = "mine"

    def forward(self, x, times=1):
        self.calls = self.calls + 1
        x = self.fc(x) * self.scale
        for block in self.blocks:
            x = em.ops.relu(block(x))
        return x * times


def test_repr_is_nested_as_pytorch_prints():
    assert (
        repr(Net())
        == """Net(
  (fc): Linear(in_features=3, out_features=4, bias=True)
  (blocks): ModuleList(
    (0): Linear(in_features=4, out_features=4, bias=True)
    (1): Linear(in_features=4, out_features=4, bias=True)
  )
)"""
    )

    class Noted(nn.Module):
        def extra_repr(self):
            return "a note"

    assert repr(nn.Sequential(Noted())) == "Sequential(\n  (0): Noted(a note)\n)"


# ---- The tree ----
def test_attributes_are_registered_and_come_back():
    net = Net()
    assert net.fc is net.fc and net.scale is net.scale and net.fc.weight is net.fc.weight
    assert [n for n, _ in net.named_parameters()] == [
        "scale",
        "fc.weight",
        "fc.bias",
        "blocks.0.weight",
        "blocks.0.bias",
        "blocks.1.weight",
        "blocks.1.bias",
    ]
    assert [n for n, _ in net.named_modules()] == ["", "fc", "blocks", "blocks.0", "blocks.1"]
    assert [n for n, _ in net.named_buffers()] == ["calls"] and list(net.children()) == [
        net.fc,
        net.blocks,
    ]
    assert next(net.parameters()) is net.scale and isinstance(net.fc.weight, nn.Parameter)
    assert list(net.modules())[3] is net.blocks[0]
    assert {"fc", "scale", "note", "forward"} <= set(dir(net))
    old, net.fc = net.fc, nn.Linear(3, 4)
    assert net.fc is not old and list(net.children())[0] is net.fc
    net.fc = None
    assert net.fc is None and len(list(net.children())) == 1
    del net.fc, net.scale, net.note
    assert not hasattr(net, "fc") and not hasattr(net, "scale") and not hasattr(net, "note")
    net.later = nn.Linear(2, 2)
    net.later = net.blocks[0]
    assert sum(1 for _ in net.parameters()) == 4 and net.parameter_count() == 40


def test_buffers_and_absent_parameters():
    net = Net()
    net(em.ones((1, 3)))
    assert net.calls.item() == 1 and net.state_dict()["calls"].item() == 1
    net.register_buffer("cache", em.zeros((9,)), persistent=False)
    net.register_parameter("extra", None)
    assert "cache" not in net.state_dict() and net.extra is None and len(list(net.buffers())) == 2
    net.extra = nn.Parameter(em.ones((1,)))
    assert "extra" in net.state_dict()
    net.calls += 1
    assert net.calls.item() == 2 and dict(net.named_buffers())["calls"] is net.calls
    norm = nn.BatchNorm1d(2)
    norm.running_mean = em.ones((2,))
    close(norm.state_dict()["running_mean"], [1, 1])


def test_training_mode_and_freezing():
    net = Net()
    assert net.training and net.eval() is net and not net.blocks[1].training
    net.blocks.training = True
    assert net.blocks.training and not net.training and not net.blocks[0].training
    net.train()
    assert net.blocks[0].training
    net.fc.freeze()
    assert (
        not net.fc.weight.requires_grad
        and net.parameter_count(trainable_only=True) == net.parameter_count() - 16
    )
    net.requires_grad_(True)
    em.ops.sum(net(em.ones((2, 3)))).backward()
    assert net.fc.weight.grad is not None
    net.zero_grad()
    assert net.fc.weight.grad is None
    seen = []
    assert net.apply(lambda m: seen.append(type(m).__name__)) is net
    assert seen == ["Linear", "Linear", "Linear", "ModuleList", "Net"]


def test_dtype_and_device():
    net = Net()
    assert (
        net.to("float64") is net and net.scale.dtype == em.float64 and net.calls.dtype == em.float64
    )
    net.half()
    assert net(em.ones((1, 3), dtype=em.float16)).dtype == em.float16
    net.to("cpu", dtype=em.float32)
    assert net.fc.weight.dtype == em.float32 and net.fc.weight.device == "cpu"
    with pytest.raises(DTypeError, match="floating-point"):
        net.to(em.int32)
    with pytest.raises(Exception, match="nowhere"):
        net.to("nowhere")


def test_weights_are_tied_by_assigning():
    a, b = nn.Linear(2, 2), nn.Linear(2, 2)
    b.weight = a.weight
    both = nn.Sequential(a, b)
    assert (
        b.weight is a.weight and len(list(both.parameters())) == 3 and len(both.state_dict()) == 4
    )
    assert [n for n, _ in both.named_parameters()] == ["0.weight", "0.bias", "1.bias"]
    a.weight.data = em.zeros((2, 2))
    assert not value(b.weight).any()
    clone = copy.deepcopy(both)
    assert clone[0].weight is clone[1].weight and clone[0].weight is not a.weight


def test_wrong_assignments():
    net = Net()
    for name, given, message in (
        ("fc", 3, "takes a Module or None, not int"),
        ("scale", em.ones((4,)), "takes a Parameter or None"),
        ("calls", "x", "takes a tensor or None"),
    ):
        with pytest.raises(TypeError, match=message):
            setattr(net, name, given)
    with pytest.raises(ValueError, match="contains this module"):
        net.blocks.append(net)
    with pytest.raises(ValueError, match="every module has that attribute"):
        net.train = nn.ReLU()
    with pytest.raises(ValueError, match="or contain a dot"):
        net.add_module("a.b", nn.ReLU())
    layer = nn.TransformerEncoderLayer(4, 2, 8)
    for change in (
        lambda: setattr(layer, "linear1", nn.Linear(4, 8)),
        lambda: delattr(layer, "linear1"),
        lambda: setattr(layer.linear1, "more", nn.ReLU()),
        lambda: setattr(nn.Dropout(0.5), "p", 0.1),
    ):
        with pytest.raises(StateError):
            change()
    with pytest.raises(StateError, match="fixes what it holds"):
        nn.TransformerEncoder(layer, 1).layers.append(nn.ReLU())
    assert layer.linear1.weight.shape == (8, 4)
    with pytest.raises(
        ShapeError, match=r"'weight' of shape \[8, 4\] cannot become one of shape \[3\]"
    ):
        layer.linear1.weight = nn.Parameter(em.ones((3,)))
    with pytest.raises(StateError, match="can be called once"):
        net.__init__()
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        net.nothing


def test_forgotten_super_init_says_so():
    class Forgets(nn.Module):
        def __init__(self, assigns):
            self.size = 3
            if assigns:
                self.fc = nn.Linear(2, 2)

    with pytest.raises(StateError, match=r"Forgets.__init__ must call super\(\).__init__\(\)"):
        Forgets(True)
    made = Forgets(False)
    assert made.size == 3
    for use in (
        lambda: made(em.ones((1,))),
        lambda: made.parameters(),
        lambda: repr(made),
        lambda: nn.Sequential(made),
        lambda: made.fc,
        lambda: pickle.dumps(made),
    ):
        with pytest.raises(StateError, match="super"):
            use()


def test_missing_forward():
    class Empty(nn.Module):
        pass

    for call in (
        lambda: Empty()(em.ones((1,))),
        lambda: nn.Sequential(Empty())(em.ones((1,))),
        lambda: nn.ModuleList()(em.ones((1,))),
    ):
        with pytest.raises(NotImplementedError, match="forward"):
            call()
    with pytest.raises(UnsupportedError, match="define forward"):
        Empty().forward(1, 2)


# ---- State ----
def test_state_goes_from_one_to_another(tmp_path):
    a, b = Net(), Net()
    report = b.load_state_dict(a.state_dict())
    assert report.missing_keys == [] and repr(report) == "<all keys matched>"
    x = numbers(2, 3)
    close(a(x), value(b(x)))
    a.save(tmp_path / "net.safetensors")
    c = Net()
    c.load(tmp_path / "net.safetensors")
    close(c(x), value(a(x)))
    state = {k: np.asarray(v) for k, v in a.state_dict().items()}
    c.load_state_dict(state)
    assert not any(t.requires_grad for t in a.state_dict().values())


def test_a_state_that_does_not_fit_changes_nothing():
    net = Net()
    before = {k: value(v).copy() for k, v in net.state_dict().items()}
    state = net.state_dict()
    gone = state.pop("fc.weight")
    state["fd.weight"] = gone
    with pytest.raises(ValueError, match=r"missing: fc.weight.*unexpected: fd.weight"):
        net.load_state_dict(state)
    with pytest.raises(ShapeError, match=r"scale: the file has \[3\], the module \[4\]"):
        net.load_state_dict({**net.state_dict(), "scale": em.ones((3,))})
    for k, v in net.state_dict().items():
        np.testing.assert_array_equal(value(v), before[k])
    missing, unexpected = net.load_state_dict({**state, "scale": em.zeros((4,))}, strict=False)
    assert missing == ["fc.weight"] and unexpected == ["fd.weight"] and not value(net.scale).any()
    with pytest.raises(TypeError):
        net.load_state_dict([1, 2])


# ---- Python modules inside C++ modules ----
class Double(nn.Module):
    def forward(self, x):
        return x * 2


def test_python_modules_inside_cpp_containers(engine):
    x = numbers(2, 3)
    net = nn.Sequential(Double(), nn.Linear(3, 3), nn.Sequential(Double()))
    close(net(x), 2 * (2 * x @ value(net[1].weight).T + value(net[1].bias)))

    class Twice(nn.Linear):
        def forward(self, x):
            return 2 * super().forward(x)

    twice = Twice(3, 2)
    close(nn.Sequential(twice)(x), 2 * (x @ value(twice.weight).T + value(twice.bias)))
    assert repr(twice) == "Twice(in_features=3, out_features=2, bias=True)"

    class Mixer(nn.layers.ChannelMixingLayer):
        def mix(self, x):
            return x + 1

    class Plain(nn.layers.base.Layer):
        def forward(self, x, mask=None):
            return x if mask is None else x * mask[..., None]

    class Steps(nn.layers.SequenceMixingLayer):
        def mix(self, x, mask):
            return em.ops.flip(x, axis=1)

    y, mask = numbers(1, 3, 2), np.array([[True, True, False]])
    kept = np.where(mask[..., None], y, 0)
    close(
        nn.Model([Plain(), Mixer(), Steps()])(y, mask),
        np.where(mask[..., None], np.where(mask[..., None], kept + 1, 0)[:, ::-1], 0),
    )
    hybrid = nn.HybridModel(2, Mixer(), nn.layers.Attention(2))
    close(hybrid.channel_mixer(y), y + 1)
    assert hybrid(y).shape == y.shape and nn.Model([Plain()])(y).shape == y.shape


def test_exceptions_arrive_unchanged():
    class Boom(nn.Module):
        def forward(self, x):
            raise LookupError("right here", 7)

    error = None
    try:
        nn.Sequential(nn.Linear(2, 2), nn.Sequential(Boom()))(em.ones((1, 2)))
    except LookupError as e:
        error = e
    assert error is not None and error.args == ("right here", 7)
    assert [f.name for f in traceback.extract_tb(error.__traceback__)][-1] == "forward"

    class Pair(nn.Module):
        def forward(self, x):
            return x, x

    assert len(Pair()(em.ones((1,)))) == 2
    with pytest.raises(DTypeError, match=r"\[Pair\] forward must return a tensor here, not tuple"):
        nn.Sequential(Pair())(em.ones((1,)))


def test_gradients_reach_every_part(engine):
    net = nn.Sequential(Net(), nn.Linear(4, 1))
    em.ops.sum(net(em.ones((2, 3)))).backward()
    assert all(p.grad is not None and p.grad.shape == p.shape for p in net.parameters())


def test_containers_are_lists_and_dicts():
    a, b, c = nn.Linear(1, 1), nn.Linear(2, 2), nn.Linear(3, 3)
    row = nn.ModuleList([a])
    row.append(c)
    row.insert(1, b)
    assert (
        len(row) == 3
        and list(row) == [a, b, c]
        and row[-1] is c
        and b in list(row)
        and list(row.state_dict())[4] == "2.weight"
    )
    assert isinstance(row[1:], nn.ModuleList) and row[1:][0] is b
    del row[0]
    assert list(row.named_children()) == [("0", b), ("1", c)]
    row[1] = a
    row.extend(m for m in [c])
    assert row.pop() is c and list(row) == [b, a]
    for bad in (lambda: row[5], lambda: row.__delitem__(9)):
        with pytest.raises(IndexError):
            bad()
    with pytest.raises(TypeError):
        row.append(3)
    assert list(row) == [b, a]
    named = nn.Sequential({"first": a, "last": b})
    assert named.first is a and [*named.state_dict()][0] == "first.weight"
    assert (
        len(nn.Sequential([a, b])) == 2
        and len(nn.Sequential(layers=[a])) == 1
        and len(nn.Sequential()) == 0
    )
    table = nn.ModuleDict({"a": a})
    table["b"] = b
    assert (
        list(table) == ["a", "b"]
        and table["b"] is b
        and "b" in table
        and table.pop("a") is a
        and list(table.items()) == [("b", b)]
    )
    with pytest.raises(KeyError):
        table["zzz"]
    several = nn.ParameterList([em.ones((2,)), em.zeros((3,))])
    assert (
        len(several) == 2 and several[1].shape == (3,) and list(several.state_dict()) == ["0", "1"]
    )
    assert nn.ParameterDict({"w": em.ones((2,))})["w"].requires_grad


# ---- Copies ----
COPIED = [
    "Net()",
    "nn.Conv2d(2, 3, (1, 3), padding='same')",
    "nn.Sequential(nn.Linear(3, 4), Double(), nn.BatchNorm1d(4))",
    "nn.LSTM(3, 4, num_layers=2)",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2, nn.LayerNorm(4))",
    "nn.LTC(4, nn.auto_ncp_map(4, 12, 2))",
    "nn.CfC(3, 5, mixed_memory=True)",
    "nn.HybridModel(4, residual=True)",
    "nn.HybridModel(4, nn.layers.MLP(4), nn.layers.Attention(4))",
    "nn.Model([nn.layers.MLP(4)])",
    "nn.modules.Dense(3, 4, 'relu')",
    "nn.ModuleDict({'x': nn.PReLU(3)})",
    "nn.modules.rnn.GRU(3, 4)",
    "nn.modules.rnn.LTC(nn.modules.wiring.NCPMap(4, 3, 2, 5))",
    "nn.ParameterList([em.ones((2,))])",
]


@pytest.mark.parametrize("made", COPIED)
@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
def test_copies_are_equal_and_their_own(made, how):
    net = eval(made)
    net.eval()
    next(net.parameters()).requires_grad = False
    twin = copy.deepcopy(net) if how == "deepcopy" else pickle.loads(pickle.dumps(net))
    assert (
        type(twin) is type(net)
        and repr(twin) == repr(net)
        and not twin.training
        and twin.get_config().keys() == net.get_config().keys()
    )
    mine, theirs = dict(net.named_parameters()), dict(twin.named_parameters())
    assert mine.keys() == theirs.keys() and [b for b, _ in net.named_buffers()] == [
        b for b, _ in twin.named_buffers()
    ]
    for name, p in mine.items():
        q = theirs[name]
        assert q is not p and isinstance(q, nn.Parameter) and q.requires_grad == p.requires_grad
        np.testing.assert_array_equal(value(q), value(p))
    first = next(net.parameters())
    first.data = first.data + 1
    assert (value(next(twin.parameters())) != value(first)).all()


def test_copies_keep_attributes_and_cycles():
    net = Net()
    net.up, net.blocks[0].owner = {"root": net}, [net]
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert twin.note == "mine" and twin.up["root"] is twin and twin.blocks[0].owner[0] is twin
    shallow = copy.copy(net)
    assert shallow.fc is net.fc and shallow.scale is net.scale and shallow is not net
    with pytest.raises(StateError, match="part of another module"):
        copy.deepcopy(nn.MultiheadAttention(4, 2).out_proj)


# ---- Lifetimes ----
def cyclic_net():
    net = Net()
    net.me, net.blocks[0].up = [net], [net]
    net.blocks[1].sibling = net.blocks[0]
    return net


def cyclic_row():
    row = nn.Sequential(Double(), nn.Linear(2, 2))
    row[0].up, row[1].up = [row], {"up": row}
    return row


def cyclic_layer():
    layer = nn.ReLU()
    layer.me = [layer]
    return layer


@pytest.mark.parametrize("make", [cyclic_net, cyclic_row, cyclic_layer])
def test_cycles_are_collected(make):
    net = make()
    dead = [weakref.ref(m) for m in net.modules()]
    del net
    gc.collect()
    assert all(r() is None for r in dead)


def test_parts_outlive_their_owner():
    weight = nn.Sequential(nn.Linear(2, 2)).state_dict()["0.weight"]
    layer = (
        nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2).layers[1].self_attn.out_proj
    )
    parameter = nn.Sequential(nn.Linear(2, 2))[0].weight
    child = next(Net().children())
    gc.collect()
    assert (
        layer(em.ones((1, 4))).shape == (1, 4)
        and parameter.shape == weight.shape == (2, 2)
        and child(em.ones((1, 3))).shape == (1, 4)
    )
    row = nn.ModuleList([nn.Linear(2, 2)])
    kept, row[0] = row[0], nn.ReLU()
    assert kept(em.ones((1, 2))).shape == (1, 2)
    removed = weakref.ref(row[0])
    del row[0]
    assert removed() is None  # immediately, without the garbage collector


def test_a_module_that_changes_itself_while_it_runs():
    class Leaves(nn.Module):
        def forward(self, x):
            del row[0]
            gc.collect()
            return x + 1

    row = nn.Sequential(Leaves(), Double(), Double())
    assert row(em.ones((1,))).item() in (4, 8) and len(row) == 2

    class Odd(nn.Module):
        def extra_repr(self):
            while len(holder):
                del holder[0]
            return "gone"

    holder = nn.ModuleList([Odd(), nn.ReLU()])
    assert "Odd(gone)" in repr(holder)


def test_deep_and_wide_trees():
    net = nn.Sequential(nn.ReLU())
    for _ in range(900):
        net = nn.Sequential(net)
    assert len(list(net.modules())) == 902
    del net
    with pytest.raises(ValueError, match="1000 deep"):
        net = nn.Sequential(nn.ReLU())
        for _ in range(1100):
            net = nn.Sequential(net)
    assert len(nn.ModuleList([nn.ReLU() for _ in range(2000)])) == 2000


def test_threads():
    net, errors = nn.Sequential(Net(), Double()), []

    def work():
        try:
            for _ in range(20):
                x = numbers(2, 3)
                assert net(x).shape == (2, 4)
                value(net(x))
                own = Net()
                own.more = nn.Linear(2, 2)
                copy.deepcopy(own).state_dict()
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_the_interpreter_ends_quietly():
    code = "from ember_ml import nn\nclass N(nn.Module):\n  def __init__(s):\n    super().__init__(); s.a = nn.Linear(2, 2); s.l = [s]\n  def __del__(s): s.a\nkeep = nn.Sequential(N(), nn.LSTM(2, 2))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == ""
