"""What a user's typed program looks like.

mypy must accept it as it stands: what is wrong on purpose has the error it must give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_type

import ember_ml as em
from ember_ml import (
    EmberTensor,
    Parameter,
    activations,
    bitwise,
    fft,
    linalg,
    linearalg,
    nn,
    ops,
    random,
    stats,
    tensor,
    training,
)
from ember_ml.ops import softmax
from ember_ml.nn import tensor as nn_tensor
from ember_ml.nn.layers import base
from ember_ml.tensor import zeros


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.scale = Parameter([1.0])

    def forward(self, x: EmberTensor) -> EmberTensor:
        return ops.relu(self.first(x)) * self.scale


def right() -> EmberTensor:
    x = em.asarray([[1, 2], [3, 4]], dtype=em.float32)
    assert_type(x, EmberTensor)
    assert_type(x.shape, tuple[int, ...])
    assert_type(x.dtype, em.DType)
    assert_type(x.reshape(4), EmberTensor)
    assert_type(x.reshape(1, 4).permute_dims((1, 0)), EmberTensor)
    assert_type(2 * x - x / 2 @ x.T, EmberTensor)
    assert_type(x == 1, EmberTensor)
    assert_type(x[0, ..., None], EmberTensor)
    assert_type(x.sum(axis=0, keepdims=True), EmberTensor)
    assert_type(em.sum(x, axis=(0, 1), dtype="float64"), EmberTensor)
    assert_type(em.matmul([[1.0]], x[:1]), EmberTensor)
    assert_type(linalg.svd(x).S, EmberTensor)
    q, r = linearalg.qr(x)
    assert_type(q @ r, EmberTensor)
    assert_type(ops.topk(x, 1).indices, EmberTensor)
    assert_type(ops.split(x, 2), tuple[EmberTensor, ...])
    assert_type(ops.shape(x), tuple[int, ...])
    assert_type(stats.mean(x), EmberTensor)
    assert_type(bitwise.count_ones([1, 2, 3]), EmberTensor)
    assert_type(activations.relu(x), EmberTensor)
    assert_type(random.random_normal((2, 2), seed=1), EmberTensor)
    assert_type(fft.fft(x[0]), EmberTensor)
    assert_type(tensor([1.0, 2.0]), EmberTensor)
    assert_type(tensor.zeros((2, 2), dtype=em.int8), EmberTensor)
    assert_type(zeros(3), EmberTensor)
    assert_type(softmax(x, axis=-1), EmberTensor)
    assert_type(em.get_backend(), str)
    assert_type(em.get_printoptions()["precision"], Any)
    assert_type(em.finfo(em.float32).eps, float)
    x += 1
    x[0] = [5, 6]
    with em.using_backend("native"), em.no_grad():
        y: list[float] = (x + 1).tolist()
    net = Net()
    optimizer = training.SGD(net.parameters(), lr=0.1)
    loss = ops.mse_loss(net(em.ones((3, 4))), em.zeros((3, 8)))
    loss.backward()
    optimizer.step()
    assert_type(net.state_dict(), dict[str, EmberTensor])
    assert_type(net.eval(), Net)
    return em.asarray(y) + float(loss)


if TYPE_CHECKING:
    x = em.ones(3)
    ops.abs(None)  # type: ignore[arg-type]
    ops.abs("one")  # type: ignore[arg-type]
    ops.abs(x, 1)  # type: ignore[call-arg]
    ops.sum(x, axis="0")  # type: ignore[arg-type]
    ops.sum(x, keepdims=None)  # type: ignore[arg-type]
    ops.zeros((2.5,))  # type: ignore[arg-type]
    ops.zeros(2, dtype=2.5)  # type: ignore[arg-type]
    ops.no_such_op(x)  # type: ignore[attr-defined]
    em.no_such_name  # type: ignore[attr-defined]
    em.set_backend(3)  # type: ignore[arg-type]
    x.no_such_method()  # type: ignore[attr-defined]
    x.shape = (1,)  # type: ignore[misc]
    x + None  # type: ignore[operator]
    x["a"]  # type: ignore[index]
    linalg.svd(x).W  # type: ignore[attr-defined]
    tensor.zeros("3")  # type: ignore[arg-type]
    nn.Linear(4, 8, bias="yes")  # type: ignore[arg-type]
    number: int = ops.mean(x)  # type: ignore[assignment]


if __name__ == "__main__":
    print(right())


def hinted_as_seed_002_does(
    x: tensor.Tensor, mask: tensor.EmberTensor | None = None
) -> tensor.Tensor:
    zeros = tensor.zeros(tensor.shape(x), dtype=tensor.float32)
    assert_type(tensor.convert_to_tensor([1, 2]), EmberTensor)
    return ops.add(x, zeros if mask is None else mask)


def hinted_by_the_module_of_nn(xs: list[nn_tensor.Tensor]) -> list[nn_tensor.EmberTensor]:
    return [hinted_as_seed_002_does(x) for x in xs] + [nn_tensor([1.0])]


class Mixing(base.SequenceMixingLayer):
    def mix(self, x: tensor.Tensor, mask: tensor.Tensor | None = None) -> tensor.Tensor:
        return ops.multiply(x, 2.0)


def trained() -> None:
    model = nn.Linear(2, 1)
    optimizer = training.Adam(learning_rate=0.1)
    optimizer.apply_gradients(
        zip(
            ops.gradients(em.sum(model.weight), model.trainable_variables),
            model.trainable_variables,
        )
    )
    loss: training.Loss = nn.CrossEntropyLoss(weight=em.ones(3))
    trainer = training.Trainer(model, training.SGD(model.parameters(), lr=0.1), loss)
    assert_type(trainer.fit([[1.0, 2.0]], [[0.0]], epochs=2, verbose=0), dict[str, list[float]])
    nn.modules.CfC(nn.modules.NCPMap(3, 2, 1, mode="pure"))
    nn.modules.NCPMap(3, 2, 1, tpyo=1)  # type: ignore[call-arg]
