"""Threads, Python's lock, Ctrl-C, forks, and long chains."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ember_ml as em
from engines import skip_unless_under_test


def run(code, **env):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **env},
    )


def test_other_threads_run_while_ember_computes():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)  # releases Python's lock

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e6)  # no thread switches during the test
    try:
        worker = threading.Thread(target=count)
        worker.start()
        x = em.random_normal((1200, 1200))
        for _ in range(3):
            x = x @ x / 1e3
        at = counted[0]
        x.eval()
        during = counted[0] - at
    finally:
        sys.setswitchinterval(before)
        stop.set()
        worker.join()
    assert during > 0


def test_threads_share_tensors(engine):
    x = em.ones(1000) * 2
    results = []

    def work(i):
        with em.using_backend(engine):
            results.append(float(((x + i) * 3).sum()))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [(2 + i) * 3000 for i in range(8)]


def test_a_scope_is_its_threads_own():
    seen = []
    with em.using_backend("numpy"):
        t = threading.Thread(target=lambda: seen.append(em.get_backend()))
        t.start(), t.join()
        assert em.get_backend() == "numpy"
    assert seen == ["native"] and em.get_backend() == "native"


def test_a_scope_ends_when_an_error_leaves_it():
    with pytest.raises(ValueError):
        with em.using_backend("numpy"):
            em.ones((2, 3)) @ em.ones((2, 3))
    assert em.get_backend() == "native"


def test_ctrl_c_during_a_long_evaluation(engine):
    code = f"""
import os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
import ember_ml as em
em.set_backend({engine!r})
x = em.random_normal((600, 600)).eval()
y = x
ops = {1 if engine in ("mlx", "onnxruntime") else 400}  # interrupted between slices
for _ in range(10 * ops):
    y = em.tanh(y @ x)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(10**6 // ops):
        y.eval(); y = y + 1
        for _ in range(10 * ops): y = em.tanh(y @ x)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", float((em.ones(3) + 1).sum()))
"""
    r = run(code)
    assert r.stdout.strip() == "interrupted 6.0", r.stdout + r.stderr


def test_a_signal_ends_a_long_kernel():
    """An exception of the signal handler is raised from the middle of a matmul: no result is
    stored."""
    code = """
import signal, ember_ml as em
em.set_backend("native")
x = em.random_integers((2000, 2000), 0, 9).eval()
y = x @ x
def handler(*_): raise TimeoutError
signal.signal(signal.SIGALRM, handler)
used = em.memory_stats()["used"]
try:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    y.eval()
except TimeoutError:
    print(em.memory_stats()["used"] == used)
"""
    r = run(code, EMBER_NUM_THREADS="1")
    assert r.stdout.strip() == "True", r.stdout + r.stderr


def test_libraries_of_the_working_directory_are_not_opened(tmp_path):
    """EMBER_PYTHON=python3 is a program on the PATH, not in the working directory."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    packages = tmp_path / "lib" / name / "site-packages"
    (tmp_path / "python3").mkdir()
    for library in (
        "torch/lib/libc10.so",
        "mlx/lib/libmlx.so",
        "onnxruntime/capi/libonnxruntime.so.1",
    ):
        (packages / library).parent.mkdir(parents=True)
        (packages / library).write_text("not a library")
    code = "import ember_ml as em; print([b['reason'] for b in em.backend_info()])"
    path = os.path.dirname(em.__path__[0])
    r = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "EMBER_PYTHON": "python3", "PYTHONPATH": os.path.abspath(path)},
    )
    assert (
        r.returncode == 0 and "invalid ELF header" not in r.stdout and "too short" not in r.stdout
    ), r.stdout + r.stderr


def test_a_forked_child_computes():
    x = em.ones(10).eval()
    pid = os.fork()
    if pid == 0:
        os._exit(0 if float((x + 1).sum()) == 20 else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_a_million_ops():
    x = em.zeros(4)
    for _ in range(1_000_000):
        x = x + 1
    assert x.tolist() == [1e6] * 4
    y = em.zeros(4)
    for _ in range(300_000):
        y = y + 1
    del y


@pytest.mark.parametrize(
    "outcome, backend",
    [
        ("computed", "native"),
        ("computed", "numpy"),
        ("refused", "torch"),
        ("refused", "mlx"),
        ("refused", "onnxruntime"),
    ],
)
def test_a_child_forked_during_an_evaluation_goes_on(outcome, backend):
    skip_unless_under_test(backend)
    code = f"""
import os, signal, threading, ember_ml as em
em.set_backend({backend!r})
x = em.random_normal((300, 300)).eval()
started, stop = threading.Event(), threading.Event()
def work():
    while not stop.is_set():
        (x @ x + em.random_normal((300, 300))).eval()
        started.set()
t = threading.Thread(target=work)
t.start()
started.wait()
said = set()
for i in range(10):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)  # kills a child that hangs, so that the test ends
        try:
            (em.ones((100, 100)) @ em.random_normal((100, 100))).eval()
        except em.errors.EngineError:
            os._exit(7)
        os._exit(0)
    said.add({{0: "computed", 7 << 8: "refused"}}.get(os.waitpid(pid, 0)[1], "hung"))
stop.set()
t.join()
print(*said)
"""
    r = run(code)
    assert r.stdout.split() == [outcome] and r.returncode == 0, r.stdout + r.stderr[-2000:]


@pytest.mark.parametrize("backend", ["native", "numpy", "torch"])
def test_a_daemon_thread_that_evaluates_does_not_disturb_the_end(backend):
    skip_unless_under_test(backend)
    code = f"""
import threading, ember_ml as em
em.set_backend({backend!r})
started = threading.Event()
def work():
    while True:
        x = em.random_normal((100, 100))
        (x @ x).eval()
        started.set()
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
started.wait()
print("end")
"""
    for _ in range(3):
        r = run(code)
        assert (r.returncode, r.stdout, r.stderr) == (0, "end\n", "")


CALLBACKS = {
    "checkpoint": "em.checkpoint(f, x).sum().backward()",
    "value_and_grad": "em.value_and_grad(lambda v: f(v).sum())(x)",
    "module": "net(x)",
    "loader": "list(loader)",
}


@pytest.mark.parametrize("call", CALLBACKS.values(), ids=CALLBACKS)
def test_a_daemon_thread_inside_a_callback_does_not_disturb_the_end(call):
    """Python ends such a thread where it requests the lock again: inside the callback."""
    code = f"""
import sys, threading, ember_ml as em
sys.setswitchinterval(1e-6)  # threads switch at nearly every step of a callback
def f(x):
    for i in range(300):
        y = em.tanh(x) + i
    return y
class Net(em.nn.Module):
    def forward(self, x):
        return f(x)
class Data:
    def __len__(self):
        return 2
    def __getitem__(self, i):
        return f(x)
x = em.ones(3).requires_grad_()
net, loader = em.nn.Sequential(Net()), em.training.DataLoader(Data(), batch_size=2)
started = threading.Event()
def work():
    while True:
        {call}
        started.set()
for _ in range(8):
    threading.Thread(target=work, daemon=True).start()
started.wait()
print("end")
"""
    for _ in range(3):
        r = run(code)
        assert (r.returncode, r.stdout, r.stderr) == (0, "end\n", "")


def test_a_backend_switched_before_evaluation_changes_nothing():
    x = em.ones(3) + 1
    em.set_backend("numpy")
    try:
        assert x.backend == "native" and x.tolist() == [2, 2, 2]
    finally:
        em.set_backend("native")


def test_an_error_inside_evaluation_names_the_op_and_stays_an_error():
    x = em.linalg.cholesky(em.asarray([[1.0, 2.0], [2.0, 1.0]])) + 1
    for _ in range(2):
        with pytest.raises(ValueError, match="cholesky"):
            x.eval()
    assert em.ones(2).tolist() == [1, 1]


@pytest.mark.parametrize("value", ["nowhere", "../../x", "x" * 5000, "a\nb"])
def test_an_unknown_backend_is_named(value):
    r = run("import ember_ml as em; em.ones(3).eval()", EMBER_ML_BACKEND=value)
    assert r.returncode == 1 and "EngineError" in r.stderr and "Traceback" in r.stderr


def test_the_device_of_the_environment():
    code = "import ember_ml as em; print(em.get_device(), em.ones(2).device, em.ones(2).tolist())"
    assert run(code, EMBER_ML_DEVICE="cpu").stdout.split() == ["cpu", "cpu", "[1.0,", "1.0]"]
    for value in ("banana", "cuda:99"):
        r = run(code, EMBER_ML_BACKEND="native", EMBER_ML_DEVICE=value)
        assert (
            r.returncode == 1 and "DeviceError: EMBER_ML_DEVICE: " in r.stderr and value in r.stderr
        )
    # The program's choice has priority.
    chosen = "import ember_ml as em; em.set_backend('native'); print(em.get_device())"
    assert run(chosen, EMBER_ML_BACKEND="nowhere", EMBER_ML_DEVICE="banana").stdout.split() == [
        "cpu"
    ]


def test_nothing_is_written_to_the_home_folder(engine, tmp_path):
    r = run(
        "import ember_ml as em; print((em.ones(3) @ em.ones(3)).tolist())",
        HOME=str(tmp_path),
        EMBER_ML_BACKEND=engine,
        XDG_CACHE_HOME="",
    )
    assert r.stdout == "3.0\n" and not list(tmp_path.iterdir())


def test_openmp_threads_of_engines_do_not_spin():
    skip_unless_under_test("torch")
    code = "import ember_ml as em; em.set_backend('{}'); em.ones(3).eval()"
    env = {
        k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
    } | {"OMP_DISPLAY_ENV": "VERBOSE"}

    def spin_counts(engine, **more):
        r = subprocess.run(
            [sys.executable, "-c", code.format(engine)],
            capture_output=True,
            text=True,
            timeout=120,
            env=env | more,
        )
        return set(re.findall(r"GOMP_SPINCOUNT = '(\w+)'", r.stderr))

    for engine in ("native", "torch"):
        # Not listed if another OpenMP library is used.
        assert spin_counts(engine) <= {"2000"} and spin_counts(engine, GOMP_SPINCOUNT="7") <= {"7"}
        assert "2000" not in spin_counts(engine, OMP_WAIT_POLICY="active")


@pytest.mark.parametrize(
    "op",
    [
        "em.concat([x, x])",
        "em.sort(x, axis=0)",
        "x + 1",
        "em.conv2d(image, image[:1, :, :3, :3])",
        "em.sum(x.astype('float16') * 2)",
    ],
)
def test_mlx_without_memory_is_an_error(op):
    if not any(b["name"] == "mlx" and b["available"] for b in em.backend_info()):
        pytest.skip("the mlx engine does not load here")
    code = f"""
import re, resource
import ember_ml as em
x, image = em.random_normal((2000, 1000)).eval(), em.random_normal((4, 16, 100, 100)).eval()
em.sum(x[:5] + 1).item()
size = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (size + 3_000_000, -1))
try:
    ({op}).eval()
except MemoryError:
    print("MemoryError")
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
print(({op}).eval().size > 0)
"""
    assert run(code, EMBER_ML_BACKEND="mlx").stdout.split() == ["MemoryError", "True"]


def test_clear_cache_gives_back_what_an_engine_keeps(engine):
    code = """
import re
import ember_ml as em
def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
x = em.random_normal((4000, 4000)).eval()
em.sum(x[:5] + 1).item()
em.clear_cache()
before = resident()
em.sum(em.sort(em.tanh(x) + em.exp(x) * em.sin(x), axis=0)).item()
em.clear_cache()
print(resident() - before)
"""
    assert float(run(code, EMBER_ML_BACKEND=engine).stdout) < 60  # MB; an array has 64


def test_what_a_signal_handler_raises_comes_through(engine):
    class Boom(ValueError):
        pass

    def raise_it(*_):
        raise Boom("time is up")

    x = em.random_normal((200, 200)).eval()
    before = signal.signal(signal.SIGALRM, raise_it)
    try:
        for _ in range(10):
            with pytest.raises(Boom, match="^time is up$"):
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                while True:
                    em.sum(em.tanh(x @ x)).item()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert em.ones(2).tolist() == [1, 1]


def test_auto_chooses_a_backend_and_its_device():
    code = "import ember_ml as em; {}print((em.get_backend(), em.get_device()) == em.auto_select_backend())"
    assert (
        run(code.format("em.set_backend('auto'); ")).stdout
        == run(code.format(""), EMBER_ML_BACKEND="auto").stdout
        == "True\n"
    )


def test_eager_mode_shows_the_line():
    code = "import ember_ml as em\nx = em.linalg.cholesky(em.asarray([[1.0, 2.0], [2.0, 1.0]]))\nx.eval()"
    assert "line 2" in run(code, EMBER_EAGER="1").stderr and "line 3" in run(code).stderr


def test_gradients_across_threads_and_modes():
    x = em.EmberTensor([1.0, 2.0], requires_grad=True)
    with em.no_grad():
        assert not (x * 2).requires_grad
        with em.enable_grad():
            assert (x * 2).requires_grad

    @em.no_grad()
    def f():
        return x * 2

    assert not f().requires_grad
    (x**3).sum().backward()
    np.testing.assert_allclose(np.asarray(x.grad), [3, 12])
    assert em.grad(em.grad(lambda v: v**3))(em.asarray(2.0)).item() == pytest.approx(12)
    value, (a, b) = em.value_and_grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(
        em.asarray([1.0, 2.0]), em.asarray([3.0, 4.0])
    )
    assert value.item() == 11 and a.tolist() == [3, 4] and b.tolist() == [1, 2]
    assert em.jacobian(lambda v: v**2, em.asarray([1.0, 2.0])).tolist() == [[2, 0], [0, 4]]
    (v, aux), g = em.value_and_grad(lambda v: (v.sum(), "more"), has_aux=True)(em.ones(2))
    assert aux == "more" and g.tolist() == [1, 1]
    with pytest.raises(TypeError):
        em.grad(lambda v: 3)(em.ones(2))
    with pytest.raises(ZeroDivisionError):
        em.grad(lambda v: 1 / 0)(em.ones(2))


def test_checkpointed_functions_have_the_same_gradients(engine):
    w = em.EmberTensor(np.linspace(-1, 1, 9).reshape(3, 3), requires_grad=True)
    f = lambda x: em.tanh(x @ w) @ w
    x = em.asarray(np.ones((2, 3)), dtype=w.dtype)
    plain = em.value_and_grad(lambda x: f(x).sum())(x)
    again = em.value_and_grad(lambda x: em.checkpoint(f, x).sum())(x)
    assert plain[0].item() == again[0].item() and plain[1].tolist() == again[1].tolist()


@pytest.mark.parametrize("link", ["x[::-1]", "em.transpose(x)[::-1]", "x[1:]"])
def test_a_chain_of_slices_takes_memory_in_proportion(link):
    """20,000 nested slices and the first row of each: 14 GB if every slice kept its
    predecessors' memory."""
    code = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import ember_ml as em
em.set_backend("native")
x = em.reshape(em.arange({"20001 * 3" if link == "x[1:]" else "9"}), (-1, 3)).eval()
heads = []
for _ in range(20000):
    heads.append(x[0])
    x = {link}
em.eval([*heads, x])
peak_kb = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])  # not the parent's
print(peak_kb < 1 << 20, heads[2].tolist())
"""
    r = run(code)
    assert r.stdout.split()[:1] == ["True"], r.stdout + r.stderr
    second = {"x[::-1]": [0, 1, 2], "em.transpose(x)[::-1]": [8, 7, 6], "x[1:]": [6, 7, 8]}[link]
    assert r.stdout.split(maxsplit=1)[1].strip() == str(second)


def test_a_library_that_an_engine_misses_is_named(tmp_path):
    for command in (
        ["-o", "libabsent.so"],
        ["-o", "libember_toy.so", "-Wl,--no-as-needed", "-L.", "-labsent"],
    ):
        subprocess.run(
            ["g++", "-shared", "-fPIC", "-x", "c++", "/dev/null", *command],
            cwd=tmp_path,
            check=True,
        )
    (tmp_path / "libabsent.so").unlink()
    code = """
import ember_ml as em
try:
    em.set_backend("toy")
except em.errors.EngineError as e:
    print(e)
"""
    r = run(code, EMBER_ENGINE_PATH=str(tmp_path))
    assert "Install the package that has libabsent.so" in r.stdout, r.stdout + r.stderr
