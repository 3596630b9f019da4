"""Picking and changing elements with lists, arrays and masks, as NumPy's users do."""

import ember_ml as np
from check import close, equal


def program_index_with_arrays():
    a = np.arange(12) ** 2
    i = np.array([1, 1, 3, 8, 5])
    equal(a[i], [1, 1, 9, 64, 25])
    equal(a[[1, 2]], [1, 4])
    j = np.array([[3, 4], [9, 7]])
    equal(a[j], [[9, 16], [81, 49]])
    palette = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]])
    image = np.array([[0, 1, 2], [0, 3, 0]])
    assert palette[image].shape == (2, 3, 3)
    b = np.arange(12).reshape(3, 4)
    equal(b[np.array([0, 1, 2]), np.array([1, 3, 0])], [1, 7, 8])
    equal(b[np.ix_([0, 2], [1, 3])], [[1, 3], [9, 11]])
    equal(b[:, [2, 0]], [[2, 0], [6, 4], [10, 8]])
    best = b.argmax(axis=0)
    equal(b[best, range(b.shape[1])], b.max(axis=0))


def program_masks():
    a = np.arange(12).reshape(3, 4)
    mask = a > 4
    equal(a[mask], [5, 6, 7, 8, 9, 10, 11])
    equal(a[(a > 2) & (a < 11)], [3, 4, 5, 6, 7, 8, 9, 10])
    equal(a[a % 2 == 0], [0, 2, 4, 6, 8, 10])
    equal(a[~mask], [0, 1, 2, 3, 4])
    a[a > 4] = 0
    equal(a, [[0, 1, 2, 3], [4, 0, 0, 0], [0, 0, 0, 0]])
    x = np.array([1.0, -2.0, 3.0, -4.0])
    x[x < 0] *= -1
    close(x, [1, 2, 3, 4])
    rows = np.array([False, True, True])
    columns = np.array([True, False, True, False])
    b = np.arange(12).reshape(3, 4)
    equal(b[rows], [[4, 5, 6, 7], [8, 9, 10, 11]])
    equal(b[:, columns], [[0, 2], [4, 6], [8, 10]])
    assert (b > 5).sum() == 6


def program_nonzero_and_where():
    a = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    rows, columns = np.nonzero(a < 5)
    equal(rows, [0, 0, 0, 0])
    equal(columns, [0, 1, 2, 3])
    assert list(zip(rows.tolist(), columns.tolist())) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    equal(np.where(a[0] > 2)[0], [2, 3])
    equal(np.where(a > 6, a, 0), [[0, 0, 0, 0], [0, 0, 7, 8], [9, 10, 11, 12]])
    equal(np.argwhere(a > 10), [[2, 2], [2, 3]])
    equal(np.flatnonzero(a % 5 == 0), [4, 9])
    x = np.linspace(-2, 2, 5)
    close(np.where(x < 0, -x, x**2), [2, 1, 0, 1, 4])
    close(np.select([x < 0, x > 1], [-1, 1], default=0), [-1, -1, 0, 0, 1])
    close(np.piecewise(x, [x < 0, x >= 0], [lambda t: -t, lambda t: t**3]), [2, 1, 0, 1, 8])


def program_assign_parts():
    a = np.zeros((5, 5))
    a[0] = 1
    a[:, -1] = 2
    a[1:3, 1:3] = [[5, 6], [7, 8]]
    a[4, 0] += 3
    close(a, [[1, 1, 1, 1, 2], [0, 5, 6, 0, 2], [0, 7, 8, 0, 2], [0, 0, 0, 0, 2], [3, 0, 0, 0, 2]])
    b = np.arange(5)
    b[[1, 3, 4]] = 0
    equal(b, [0, 0, 2, 0, 0])
    b[np.array([0, 2])] = np.array([9, 8])
    equal(b, [9, 0, 8, 0, 0])
    c = np.ones((4, 4), dtype=int)
    c[1:-1, 1:-1] = 0
    assert c.sum() == 12
    board = np.zeros((8, 8), dtype=int)
    board[1::2, ::2] = 1
    board[::2, 1::2] = 1
    assert board.sum() == 32 and board[0, 0] == 0 and board[0, 1] == 1
    np.fill_diagonal(c, 7)
    equal(np.diag(c), [7, 7, 7, 7])


def program_argmax_rows():
    data = np.sin(np.arange(20)).reshape(5, 4)
    ind = data.argmax(axis=0)
    equal(ind, [2, 0, 3, 1])
    data_max = data[ind, range(data.shape[1])]
    close(data_max, data.max(axis=0))
    row, column = np.unravel_index(data.argmax(), data.shape)
    assert (int(row), int(column)) == (3, 2)
    assert np.ravel_multi_index((3, 2), data.shape) == 14
    top = np.argsort(-data[:, 0])[:2]
    equal(top, [2, 0])
    equal(np.argsort(data[:, 1])[::-1][:2], [0, 3])
    equal(np.sort(np.argpartition(data.ravel(), -3)[-3:]), [2, 8, 14])


def program_take_and_sort_by_key():
    names = np.array([3, 1, 2])
    ages = np.array([25, 32, 19])
    order = np.argsort(ages)
    equal(names[order], [2, 3, 1])
    equal(np.take(ages, [2, 0]), [19, 25])
    scores = np.array([[7, 9, 8], [5, 4, 6]])
    ranks = np.argsort(scores, axis=1)
    equal(np.take_along_axis(scores, ranks, axis=1), [[7, 8, 9], [4, 5, 6]])
    table = np.array([[2, 30], [1, 20], [2, 10], [1, 40]])
    equal(table[table[:, 1].argsort()], [[2, 10], [1, 20], [2, 30], [1, 40]])
    equal(np.lexsort((table[:, 1], table[:, 0])), [1, 3, 2, 0])
    equal(np.searchsorted(np.array([1, 3, 5, 7]), [0, 3, 6]), [0, 1, 3])
    equal(np.digitize(np.array([0.2, 6.4, 3.0]), np.array([0.0, 1.0, 2.5, 4.0])), [1, 4, 3])


def program_one_hot_and_labels():
    labels = np.array([0, 2, 1, 2])
    one_hot = np.eye(3)[labels]
    equal(one_hot, [[1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]])
    equal(one_hot.argmax(axis=1), labels)
    other = np.zeros((labels.size, labels.max() + 1))
    other[np.arange(labels.size), labels] = 1
    equal(other, one_hot)
    classes, codes = np.unique(np.array([30, 10, 20, 10]), return_inverse=True)
    equal(codes, [2, 0, 1, 0])
    equal(classes[codes], [30, 10, 20, 10])
    equal(np.bincount(labels, minlength=4), [1, 1, 2, 0])


def program_grids():
    x = np.linspace(0, 1, 3)
    y = np.linspace(0, 1, 2)
    xv, yv = np.meshgrid(x, y)
    assert xv.shape == (2, 3)
    close(xv + 10 * yv, [[0, 0.5, 1], [10, 10.5, 11]])
    rows, columns = np.indices((2, 3))
    equal(rows * 3 + columns, np.arange(6).reshape(2, 3))
    yy, xx = np.mgrid[0:3, 0:4]
    equal(yy + xx, [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]])
    r, c = np.ogrid[0:5, 0:5]
    disk = (r - 2) ** 2 + (c - 2) ** 2 <= 4
    assert disk.sum() == 13
    i, j = np.triu_indices(3, k=1)
    equal(np.arange(9).reshape(3, 3)[i, j], [1, 2, 5])


def program_rolling_windows():
    a = np.arange(10)
    index = np.arange(3)[None, :] + np.arange(8)[:, None]
    equal(a[index].sum(axis=1), [3, 6, 9, 12, 15, 18, 21, 24])
    equal(np.roll(a, 2)[:3], [8, 9, 0])
    equal(np.diff(a**2), 2 * np.arange(9) + 1)


def program_sliding_window_view():
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(10), 4)
    assert windows.shape == (7, 4)
    equal(windows.max(axis=1), [3, 4, 5, 6, 7, 8, 9])


def program_nested_loops():
    grid = np.zeros((3, 4))
    for i in range(3):
        for j in range(4):
            grid[i][j] = i * 10 + j
    equal(grid[2], [20, 21, 22, 23])
    grid[0][1:3] = -1
    grid[1][0] += 5
    equal(grid[:2, :2], [[0, -1], [15, 11]])
    total = 0
    for row in grid:
        for value in row:
            total += value
    equal(total, grid.sum())


def program_repeat_tile_pad():
    a = np.array([1, 2, 3])
    equal(np.repeat(a, 2), [1, 1, 2, 2, 3, 3])
    equal(np.repeat(a, [1, 0, 2]), [1, 3, 3])
    equal(np.tile(a, 2), [1, 2, 3, 1, 2, 3])
    equal(np.tile(np.array([[0, 1], [1, 0]]), (2, 2))[0], [0, 1, 0, 1])
    equal(np.pad(np.ones((2, 2)), 1), [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]])
    equal(np.pad(a, (2, 1), mode="edge"), [1, 1, 1, 2, 3, 3])
    equal(np.pad(a, 1, mode="constant", constant_values=9), [9, 1, 2, 3, 9])
    equal(np.pad(a, 2, mode="reflect"), [3, 2, 1, 2, 3, 2, 1])
    equal(np.pad(a, 1, mode="wrap"), [3, 1, 2, 3, 1])
    equal(np.insert(a, 1, 9), [1, 9, 2, 3])
    equal(np.delete(a, 1), [1, 3])
    equal(np.delete(np.arange(6).reshape(2, 3), 1, axis=1), [[0, 2], [3, 5]])


def program_sets():
    a = np.array([1, 2, 3, 2, 4])
    b = np.array([2, 4, 6])
    equal(np.intersect1d(a, b), [2, 4])
    equal(np.union1d(a, b), [1, 2, 3, 4, 6])
    equal(np.setdiff1d(a, b), [1, 3])
    equal(np.setxor1d(a, b), [1, 3, 6])
    equal(np.isin(a, b), [False, True, False, True, True])
    equal(a[np.isin(a, [2, 3])], [2, 3, 2])


def program_accumulate_at_indices():
    counts = np.zeros(4)
    np.add.at(counts, [0, 1, 1, 3], 1)
    equal(counts, [1, 2, 0, 1])
    equal(np.multiply.outer(np.arange(3), np.arange(3)), [[0, 0, 0], [0, 1, 2], [0, 2, 4]])
    equal(np.add.reduce(np.arange(5)), 10)
    equal(np.maximum.accumulate(np.array([1, 3, 2, 5, 4])), [1, 3, 3, 5, 5])
    equal(np.bincount([0, 1, 1, 3], weights=[1.0, 2.0, 3.0, 4.0]), [1, 5, 0, 4])


def program_row_with_largest_sum():
    a = np.array([[3, 1, 2], [9, 0, 1], [4, 4, 4]])
    assert a.sum(axis=1).argmax() == 2
    equal(a[a[:, 0] > 3], [[9, 0, 1], [4, 4, 4]])
    equal(a[::-1], [[4, 4, 4], [9, 0, 1], [3, 1, 2]])
    a[[0, 2]] = a[[2, 0]]
    equal(a, [[4, 4, 4], [9, 0, 1], [3, 1, 2]])
    a[:, 1], total = 0, a.sum()
    assert total == 28 and a.sum() == 23
    for row in a:
        row.sum()
    for (i, j), v in np.ndenumerate(a):
        assert v == a[i, j]
