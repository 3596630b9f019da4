"""First steps, as a beginner's course on NumPy has them: only the import line differs."""

import ember_ml as np
from check import close, equal


def program_create_and_inspect():
    a = np.arange(15).reshape(3, 5)
    assert a.shape == (3, 5)
    assert a.ndim == 2
    assert a.size == 15
    assert len(a) == 3
    b = np.array([6, 7, 8])
    c = np.array([(1.5, 2, 3), (4, 5, 6)])
    assert b.dtype != c.dtype
    equal(np.zeros((3, 4)), [[0] * 4] * 3)
    equal(np.ones((2, 3), dtype=np.int16), [[1] * 3] * 2)
    equal(np.full((2, 2), 7), [[7, 7], [7, 7]])
    close(np.linspace(0, 2, 9), [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2])
    equal(np.arange(10, 30, 5), [10, 15, 20, 25])
    equal(np.eye(2), [[1, 0], [0, 1]])
    equal(np.zeros_like(c), [[0, 0, 0], [0, 0, 0]])
    assert np.empty((2, 3)).shape == (2, 3)


def program_arithmetic():
    a = np.array([20, 30, 40, 50])
    b = np.arange(4)
    equal(a - b, [20, 29, 38, 47])
    equal(b**2, [0, 1, 4, 9])
    close(10 * np.sin(a), [9.12945251, -9.88031624, 7.4511316, -2.62374854])
    equal(a < 35, [True, True, False, False])
    A = np.array([[1, 1], [0, 1]])
    B = np.array([[2, 0], [3, 4]])
    equal(A * B, [[2, 0], [0, 4]])
    equal(A @ B, [[5, 4], [3, 4]])
    equal(A.dot(B), [[5, 4], [3, 4]])
    equal(a // 7, [2, 4, 5, 7])
    equal(a % 7, [6, 2, 5, 1])
    equal(-a, [-20, -30, -40, -50])
    close(np.exp(b) / np.sqrt(b + 1), [1, 1.92211551, 4.26605, 10.04276846])


def program_sums_along_axes():
    b = np.arange(12).reshape(3, 4)
    equal(b.sum(axis=0), [12, 15, 18, 21])
    equal(b.min(axis=1), [0, 4, 8])
    equal(b.cumsum(axis=1), [[0, 1, 3, 6], [4, 9, 15, 22], [8, 17, 27, 38]])
    assert b.sum() == 66
    assert b.max() == 11
    assert np.prod(np.array([1, 2, 3, 4])) == 24
    close(b.mean(axis=1), [1.5, 5.5, 9.5])
    close(np.mean(b), 5.5)
    assert b.argmax() == 11
    equal(np.argmin(b, axis=1), [0, 0, 0])
    assert np.all(b >= 0) and not np.any(b > 11)
    close(b.std(), 3.452052529534663)


def program_slicing():
    a = np.arange(10) ** 3
    assert a[2] == 8
    equal(a[2:5], [8, 27, 64])
    a[:6:2] = 1000
    equal(a, [1000, 1, 1000, 27, 1000, 125, 216, 343, 512, 729])
    equal(a[::-1][:3], [729, 512, 343])
    b = np.fromfunction(lambda x, y: 10 * x + y, (5, 4), dtype=int)
    assert b[2, 3] == 23
    equal(b[0:5, 1], [1, 11, 21, 31, 41])
    equal(b[:, 1], [1, 11, 21, 31, 41])
    equal(b[1:3, :], [[10, 11, 12, 13], [20, 21, 22, 23]])
    equal(b[-1], [40, 41, 42, 43])
    c = np.array([[[0, 1, 2], [10, 12, 13]], [[100, 101, 102], [110, 112, 113]]])
    equal(c[1, ...], [[100, 101, 102], [110, 112, 113]])
    equal(c[..., 2], [[2, 13], [102, 113]])
    assert [int(row.sum()) for row in b] == [6, 46, 86, 126, 166]
    assert sum(int(v) for v in b.flat) == 430


def program_change_shapes():
    a = np.array([[3, 7, 3, 4], [1, 4, 2, 2], [7, 2, 4, 9]])
    equal(a.ravel(), [3, 7, 3, 4, 1, 4, 2, 2, 7, 2, 4, 9])
    assert a.reshape(6, 2).shape == (6, 2)
    assert a.T.shape == (4, 3)
    assert a.reshape(3, -1).shape == (3, 4)
    equal(a.flatten(), a.ravel())
    row = np.array([1, 2, 3, 4, 5, 6])
    assert row[np.newaxis, :].shape == (1, 6)
    assert row[:, np.newaxis].shape == (6, 1)
    assert np.expand_dims(row, axis=1).shape == (6, 1)
    assert np.squeeze(row[None, :, None]).shape == (6,)
    assert np.swapaxes(np.ones((2, 3, 4)), 0, 2).shape == (4, 3, 2)
    assert np.moveaxis(np.ones((2, 3, 4)), 0, -1).shape == (3, 4, 2)
    equal(np.transpose(a)[0], [3, 1, 7])
    equal(np.resize(row, (2, 4)), [[1, 2, 3, 4], [5, 6, 1, 2]])


def program_stack_and_split():
    a = np.array([[9, 7], [5, 2]])
    b = np.array([[1, 9], [5, 1]])
    equal(np.vstack((a, b)), [[9, 7], [5, 2], [1, 9], [5, 1]])
    equal(np.hstack((a, b)), [[9, 7, 1, 9], [5, 2, 5, 1]])
    equal(np.column_stack((np.array([4, 2]), np.array([3, 8]))), [[4, 3], [2, 8]])
    equal(np.concatenate((a, b), axis=0), np.vstack((a, b)))
    assert np.stack((a, b), axis=-1).shape == (2, 2, 2)
    c = np.arange(24).reshape(2, 12)
    first, second, third = np.hsplit(c, 3)
    equal(second, [[4, 5, 6, 7], [16, 17, 18, 19]])
    left, middle, right = np.split(c, [3, 4], axis=1)
    assert left.shape == (2, 3) and middle.shape == (2, 1) and right.shape == (2, 8)
    assert [part.shape[0] for part in np.array_split(np.arange(8), 3)] == [3, 3, 2]
    equal(np.append(np.array([1, 2]), [3, 4]), [1, 2, 3, 4])
    equal(np.r_[1:4, 0, 4], [1, 2, 3, 0, 4])


def program_broadcasting():
    x = np.arange(4)
    xx = x.reshape(4, 1)
    y = np.ones(5)
    assert (xx + y).shape == (4, 5)
    z = np.ones((3, 4))
    close(x + z, [[1, 2, 3, 4]] * 3)
    a = np.array([0.0, 10.0, 20.0, 30.0])
    b = np.array([1.0, 2.0, 3.0])
    close(a[:, np.newaxis] + b, [[1, 2, 3], [11, 12, 13], [21, 22, 23], [31, 32, 33]])
    try:
        np.ones(3) + np.ones(4)
    except ValueError as error:
        assert "broadcast" in str(error)
    else:
        raise AssertionError("shapes (3,) and (4,) were added")
    table = np.arange(1, 10)[:, None] * np.arange(1, 10)
    assert table[6, 7] == 56
    equal(np.broadcast_to(np.array([1, 2]), (3, 2)), [[1, 2]] * 3)
    codes = np.array([[102.0, 203.0], [132.0, 193.0], [45.0, 155.0], [57.0, 173.0]])
    nearest = np.argmin(np.sqrt(np.sum((codes - np.array([111.0, 188.0])) ** 2, axis=1)))
    assert nearest == 0


def program_unique_sort_reverse():
    a = np.array([11, 11, 12, 13, 14, 15, 16, 17, 12, 13, 11, 14, 18, 19, 20])
    values, first, counts = np.unique(a, return_index=True, return_counts=True)
    equal(values, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    equal(first, [0, 2, 3, 4, 5, 6, 7, 12, 13, 14])
    equal(counts, [3, 2, 2, 2, 1, 1, 1, 1, 1, 1])
    equal(np.unique(np.array([[1, 2], [1, 2], [0, 3]]), axis=0), [[0, 3], [1, 2]])
    equal(np.sort(np.array([2, 1, 5, 3, 7, 4, 6, 8])), [1, 2, 3, 4, 5, 6, 7, 8])
    equal(np.sort(np.array([[3, 1], [2, 9]]), axis=0), [[2, 1], [3, 9]])
    equal(np.argsort(np.array([30, 10, 20])), [1, 2, 0])
    equal(np.flip(np.array([1, 2, 3])), [3, 2, 1])
    m = np.array([[1, 2], [3, 4]])
    equal(np.flip(m, axis=1), [[2, 1], [4, 3]])
    equal(np.flipud(m), [[3, 4], [1, 2]])
    equal(np.fliplr(m), [[2, 1], [4, 3]])
    equal(np.rot90(m), [[2, 4], [1, 3]])


def program_sort_in_place():
    a = np.array([3, 1, 2])
    a.sort()
    equal(a, [1, 2, 3])


def program_mean_square_error():
    predictions = np.array([1.0, 1.0, 1.0])
    labels = np.array([1.0, 2.0, 3.0])
    error = (1 / len(labels)) * np.sum(np.square(predictions - labels))
    close(error, 5 / 3)
    close(np.abs(predictions - labels).mean(), 1)
    close(np.sqrt(np.mean((predictions - labels) ** 2)), 1.2909944487)


def program_data_types():
    x = np.array([1.7, -2.3, 3.5])
    equal(x.astype(int), [1, -2, 3])
    equal(x.astype(np.int32), [1, -2, 3])
    assert np.array([1, 2], dtype=np.float64).dtype == np.float64
    assert np.array([1, 2], dtype="float32").dtype == np.float32
    assert x.astype(bool).all()
    close(np.round(x, 0), [2, -2, 4])
    equal(np.floor(x), [1, -3, 3])
    equal(np.ceil(x), [2, -2, 4])
    z = np.array([[1, 2], [3, 4]], dtype=complex)
    close((z * 1j).imag, [[1, 2], [3, 4]])
    assert np.finfo(np.float32).eps < 1e-6
    assert np.iinfo(np.int8).max == 127
    assert x.nbytes == x.size * x.itemsize
    equal(np.array([200, 100], dtype=np.uint8) + np.array([100, 100], dtype=np.uint8), [44, 200])


def program_save_and_load(folder):
    a = np.arange(6).reshape(2, 3)
    np.save(folder / "a.npy", a)
    equal(np.load(folder / "a.npy"), a)
    np.savez(folder / "both.npz", first=a, second=np.ones(2))
    both = np.load(folder / "both.npz")
    equal(both["first"], a)
    equal(both["second"], [1, 1])
    np.savetxt(folder / "a.csv", a, delimiter=",")
    close(np.loadtxt(folder / "a.csv", delimiter=","), a)


def program_read_a_table(folder):
    path = folder / "weather.csv"
    path.write_text("day,low,high\n1,3.5,9.0\n2,4.0,\n3,1.5,7.5\n")
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    close(table, [[1, 3.5, 9], [2, 4, float("nan")], [3, 1.5, 7.5]])
    close(np.nanmean(table[:, 2]), 8.25)


def program_print():
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert str(a) == "[[1. 2.]\n [3. 4.]]"
    assert str(np.arange(3)) == "[0 1 2]"
    assert f"{a[0, 1]:.3f}" == "2.000"
    assert f"{a.mean():6.2f}" == "  2.50"
    assert a.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert a[1, 0].item() == 3.0
    assert int(np.array(7)) == 7
    assert "%.1f" % a.sum() == "10.0"
    assert round(float(np.pi), 4) == 3.1416


def program_constants_and_comparison():
    close(np.pi * 2, 6.283185307)
    close(np.e, 2.718281828)
    assert np.isnan(np.nan) and np.isinf(np.inf)
    a = np.array([0.1 + 0.2, 1.0])
    assert np.allclose(a, [0.3, 1.0])
    equal(np.isclose(a, np.array([0.3, 1.1])), [True, False])
    assert np.array_equal(np.array([1, 2]), np.array([1, 2]))
    assert not np.array_equal(np.array([1, 2]), np.array([1, 3]))
    equal(np.logical_and(np.array([True, False]), np.array([True, True])), [True, False])
    equal(np.maximum(np.array([1, 5]), np.array([3, 2])), [3, 5])
    equal(np.clip(np.array([1, 5, 9]), 2, 6), [2, 5, 6])
    equal(np.sign(np.array([-3.0, 0.0, 2.0])), [-1, 0, 1])
    assert np.count_nonzero(np.array([0, 1, 2])) == 2
