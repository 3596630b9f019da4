"""Several processes from Python: each test starts a script under mpirun."""

import importlib.util
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import ember_ml
from ember_ml import distributed as dist
from ember_ml.nn import tensor

EMBER = pathlib.Path(__file__).parents[2] / "build/bin/ember"
MPIRUN = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
needs_mpirun = pytest.mark.skipif(
    MPIRUN is None, reason="no mpirun: tools/setup installs Debian's openmpi-bin"
)
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "EMBER_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "EMBER_FALLBACK": "silent",
}


def start(ranks, code, *arguments, **environment):
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(
        [MPIRUN, "-n", str(ranks), *command] if ranks > 1 else command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | environment,
    )


def ended(process):
    """Runs a script and returns its output. The timeout only matters for ranks that hang."""
    try:
        return process.communicate(timeout=600)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail("the ranks hang: " + "".join(process.communicate())[-2000:])


def run(ranks, code, *arguments, status=0, **environment):
    process = start(ranks, code, *arguments, **environment)
    out, err = ended(process)
    assert (process.returncode == 0) == (status == 0), err[-3000:]
    return out, err


TRAIN = """
    import sys, ember_ml, ember_ml.distributed as dist
    from ember_ml import nn, ops, training
    engine, path, folder, epochs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    ember_ml.set_backend(engine)
    ember_ml.random.seed(5)
    x, y = ops.random_normal((65, 6), dtype="float64"), ops.floor(ops.random_uniform((65,), 0, 3, dtype="float64")).astype("int64")
    ember_ml.random.seed(3)
    model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3)).to("float64")
    optimizer = training.AdamW(model.parameters(), lr=0.01)
    loader = training.DataLoader(training.TensorDataset(x, y), batch_size=14, shuffle=True, seed=1)
    trainer = training.Trainer(model, optimizer, training.CrossEntropyLoss(), strategy=dist.DataParallelStrategy(shard_optimizer="shard" in sys.argv))
    callbacks = [training.Checkpoint(folder, every_steps=3, every_epochs=0, keep=3)] if folder != "-" else []
    if "doomed" in sys.argv:  # announces a step, and at the last one waits to be killed
        import os, pathlib, signal
        announced, step, last = pathlib.Path(sys.argv[-1]), int(sys.argv[-2]), 5 * epochs
        class Doomed(training.Callback):
            def on_step_end(self, trainer):
                if trainer.step >= step and not announced.exists():
                    part = announced.with_suffix(f".{os.getpid()}")
                    part.write_text(str(os.getpid()))
                    part.rename(announced)
                if trainer.step == last:
                    signal.pause()
        callbacks.append(Doomed())
    history = trainer.fit(loader, epochs, callbacks=callbacks, resume=folder if folder != "-" else None)
    if dist.world().rank == 0:
        model.save(path)
        print("loss", history["loss"][-1])
"""


def difference(a, b):
    x, y = ember_ml.load(a), ember_ml.load(b)
    assert x.keys() == y.keys()
    return max(
        abs(u - v)
        for k in x
        for u, v in zip(x[k].flatten().tolist(), y[k].flatten().tolist(), strict=True)
    )


@needs_mpirun
@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_train_as_one(engine, ranks, tmp_path):
    one, all_ = tmp_path / "one.safetensors", tmp_path / "all.safetensors"
    run(1, TRAIN, engine, one, "-", 10)
    out, _ = run(ranks, TRAIN, engine, all_, "-", 10)
    assert out.count("loss") == 1
    assert difference(one, all_) <= 1e-10


@needs_mpirun
def test_collectives():
    out, _ = run(
        2,
        """
        import ember_ml.distributed as dist
        from ember_ml import ops
        g = dist.init()
        assert g.size == 2 and dist.is_initialized() and g.transport != "none"
        x = ops.full((3,), float(g.rank + 1), dtype="bfloat16")
        assert g.all_reduce(x).tolist() == [3.0] * 3 and g.all_reduce(x, "max").tolist() == [2.0] * 3
        work = g.all_reduce(x, "mean", async_op=True)
        assert work.wait().tolist() == [1.5] * 3 and work.done()
        assert g.broadcast(x, 1).tolist() == [2.0] * 3
        assert g.all_gather(ops.arange(g.rank + 1)).tolist() == [0, 0, 1]
        assert len(g.reduce_scatter(ops.ones((3, 2))).tolist()) == 2 - g.rank
        assert g.all_to_all(ops.full((2,), float(g.rank))).tolist() == [0.0, 1.0]
        if g.rank == 0: g.send(ops.arange(5), 1)
        else: assert g.recv((5,), "int64", 0).tolist() == [0, 1, 2, 3, 4]
        assert g.split(g.rank).size == 1
        g.barrier()
        print("good")
    """,
    )
    assert out.count("good") == 2  # mpirun may join lines


@needs_mpirun
def test_finished_operations_and_pythons_lock(engine):
    """Asynchronous operations that are not waited for, and new ones meanwhile: with NumPy's
    arrays, Ember's threads and this one need Python's lock."""
    run(
        2,
        """
        import sys, random, ember_ml, ember_ml.distributed as dist
        from ember_ml import ops
        ember_ml.set_backend(sys.argv[1])
        g = dist.init(timeout=600)
        choose = random.Random(2)
        works = []
        for i in range(200):
            n = choose.choice([1, 1000, 70000])
            x = ops.full((n,), float(i))
            what = choose.randrange(5)
            if what == 0: works.append(g.all_reduce(x, async_op=True))
            elif what == 1: assert g.all_reduce(x).tolist()[0] == 2 * i
            elif what == 2: works += [g.send(x, 1 - g.rank, async_op=True), g.recv((n,), "float32", 1 - g.rank, async_op=True)]
            elif what == 3: g.all_gather(x, async_op=True)
            elif works: works.pop(choose.randrange(len(works))).wait()
    """,
        engine,
    )


@needs_mpirun
@pytest.mark.parametrize(
    "call, error",
    [
        ("g.all_reduce(ops.ones((3 + g.rank,)))", "ShapeError"),
        ("g.all_reduce(ops.ones((3,), dtype='float64' if g.rank else 'float32'))", "DTypeError"),
        ("g.barrier() if g.rank else g.all_reduce(ops.ones((3,)))", "StateError"),
        ("g.broadcast(ops.ones((3,)), g.rank)", "ValueError"),
    ],
)
def test_ranks_that_disagree_get_an_error_each(call, error):
    out, _ = run(
        2,
        f"""
        import ember_ml, ember_ml.distributed as dist
        from ember_ml import ops
        g = dist.init()
        try:
            {call}
        except ember_ml.errors.{error} as e:
            assert "disagree" in str(e), e
            print("caught")
        assert g.all_reduce(ops.ones((1,))).tolist() == [2.0]
    """,
    )
    assert out.count("caught") == 2


@needs_mpirun
@pytest.mark.parametrize(
    "end",
    [
        "raise ValueError('enough')",
        "sys.exit(3)",
        "os.kill(os.getpid(), signal.SIGKILL)",
        "os._exit(9)",
        "pass",
    ],
)
def test_a_rank_that_ends_ends_the_others(end):
    _, err = run(
        2,
        f"""
        import os, signal, sys, ember_ml.distributed as dist
        from ember_ml import ops
        g = dist.init()
        g.barrier()
        if g.rank:
            {end}
        else:
            g.all_reduce(ops.ones((3,)))
    """,
        status=1,
    )
    assert "rank 1" in err or "disagree" in err


@needs_mpirun
def test_ranks_miss_one_that_their_launcher_does_not():
    process = start(
        2,
        """
        import os, signal, ember_ml.distributed as dist
        from ember_ml import ops
        g = dist.init()
        g.barrier()
        if g.rank:
            os.kill(os.getpid(), signal.SIGKILL)
        g.all_reduce(ops.ones((3,)))
    """,
        OMPI_MCA_orte_enable_recovery="1",
    )
    _, err = ended(process)
    assert "rank 0 of 2: rank 1 (process " in err and "has died" in err


@needs_mpirun
def test_ctrl_c_ends_a_wait_for_the_other_ranks(tmp_path):
    """The interrupted operation continues in the background, so the ranks stay in step."""
    fifo = tmp_path / "interrupted"
    os.mkfifo(fifo)
    out, _ = run(
        2,
        """
        import os, signal, sys, threading, ember_ml.distributed as dist
        from ember_ml import ops
        g = dist.init()
        x = ops.ones((3,)).eval()
        if g.rank == 0:
            sys.setswitchinterval(1000)  # main keeps Python's lock until all_reduce waits
            waiting = threading.Event()
            def interrupt():
                waiting.wait()
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt).start()
            waiting.set()
            try:
                g.all_reduce(x)
            except KeyboardInterrupt:
                print("caught")
            open(sys.argv[1], "w").close()  # blocks until rank 1 reads
        else:
            open(sys.argv[1]).close()  # rank 1 stays away until rank 0 is interrupted
            assert g.all_reduce(x).tolist() == [2.0] * 3
        assert g.all_reduce(x * 2).tolist() == [4.0] * 3
    """,
        fifo,
    )
    assert out == "caught\n"


@needs_mpirun
def test_the_command_launches_and_trains(tmp_path):
    """ember launch -n 2 ember train: one rank prints, the weights equal those of one rank, and a
    checkpoint resumes."""

    def train(ranks, epochs, name, *arguments):
        command = [
            EMBER,
            "train",
            "--epochs",
            str(epochs),
            "--batch",
            "96",
            "--dtype",
            "float64",
            "--save",
            tmp_path / name,
            *arguments,
        ]
        r = subprocess.run(
            [EMBER, "launch", "-n", str(ranks), *command] if ranks > 1 else command,
            capture_output=True,
            text=True,
            timeout=600,
            env=ENVIRONMENT,
        )
        assert r.returncode == 0, r.stderr[-2000:]
        return r.stdout

    alone = train(1, 2, "one.safetensors")
    out = train(2, 1, "begun.safetensors", "--shard-optimizer", "--checkpoints", tmp_path / "run")
    assert out.count("digits on 2 ranks") == 1 and 2 * out.count("val_accuracy") == alone.count(
        "val_accuracy"
    )
    assert len(list((tmp_path / "run").glob("shard-*-of-2-*"))) == 2
    train(4, 2, "four.safetensors", "--shard-optimizer", "--checkpoints", tmp_path / "run")
    assert difference(tmp_path / "one.safetensors", tmp_path / "four.safetensors") <= 1e-10
    failed = subprocess.run(
        [EMBER, "launch", "-n", "2", "false"],
        capture_output=True,
        text=True,
        timeout=600,
        env=ENVIRONMENT,
    )
    assert failed.returncode == 1 and "the 2 ranks ended with status 1" in failed.stderr


def test_alone_there_is_one_rank():
    out, _ = run(
        1,
        """
        import ember_ml.distributed as dist
        from ember_ml import ops
        g = dist.init()
        print(g.size, g.rank, g.transport, g.all_reduce(ops.ones((2,))).tolist(), dist.DataParallelStrategy().num_devices)
    """,
    )
    assert out.split() == ["1", "0", "none", "[1.0,", "1.0]", "1"]


def test_uneven_batches_are_distributed(engine):
    strategy = dist.strategy.Strategy()
    strategy.num_devices = 3
    parts = strategy.distribute(tensor.convert_to_tensor([[1.0], [2.0], [3.0], [4.0]]))
    assert [p.tolist() for p in parts] == [[[1.0], [2.0]], [[3.0]], [[4.0]]]
    with pytest.raises(ValueError):
        dist.share(3, 2, 2)


def test_the_page_says_what_the_simulator_does():
    root = pathlib.Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location(
        "simulate_distributed", root / "tools/simulate_distributed.py"
    )
    simulator = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(simulator)
    machine = simulator.Machine()
    # A ring of two without latency transfers half of the bytes at a time.
    assert simulator.ring(8.0, 2, 0.0, 1.0) == simulator.tree(8.0, 2, 0.0, 1.0) == 4.0
    page = (root / "docs/distributed.md").read_text()
    for ranks in (8, 64, 512, 4096):
        cells = [
            f"{100 * simulator.step(m, ranks, machine).efficiency:.1f} ({100 * simulator.step(m, ranks, machine, overlap=False).efficiency:.1f})"
            for m in simulator.MODELS
        ]
        assert f"| {ranks:,} | " + " | ".join(cells) + " |" in page


@needs_mpirun
@pytest.mark.parametrize("how", ["whole", "shard"])
def test_a_killed_rank_ends_in_an_error_and_an_exact_resume(how, tmp_path):
    """Kills the first rank that reaches a step; EMBER_KILLS=50 for the long version."""
    rng = random.Random(1)
    whole = tmp_path / "whole.safetensors"
    run(2, TRAIN, "native", whole, "-", 20, how)
    # The 100 steps have a checkpoint every three steps: the first kill is before any checkpoint,
    # the second after one.
    steps = [
        1,
        50,
        *(rng.randrange(1, 101) for _ in range(int(os.environ.get("EMBER_KILLS", "3")) - 2)),
    ]
    for i, step in enumerate(steps):
        folder, path, announced = (
            tmp_path / f"kill{i}",
            tmp_path / f"kill{i}.safetensors",
            tmp_path / f"announced{i}",
        )
        process = start(2, TRAIN, "native", path, folder, 20, how, "doomed", step, announced)
        while not announced.exists():
            assert process.poll() is None, process.communicate()[1][-3000:]
            time.sleep(0.001)
        os.kill(int(announced.read_text()), signal.SIGKILL)
        _, err = ended(process)
        assert process.returncode and err, "a message is expected"
        assert step < 4 or any(folder.glob("step-*.safetensors"))
        run(2, TRAIN, "native", path, folder, 20, how)
        assert difference(whole, path) == 0
