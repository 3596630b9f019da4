"""Examples of the ops, shown in their docstrings. Written by tools/generate/examples.py: run `make generate`."""

EXAMPLES: dict[str, str] = {
    "asarray": r"""

>>> from ember_ml import ops
>>> print(ops.asarray([[0.2, -0.4], [-0.2, -1.3]]))
[[ 0.2 -0.4]
 [-0.2 -1.3]]""",
    "zeros": r"""

>>> from ember_ml import ops
>>> print(ops.zeros([3]))
[0. 0. 0.]""",
    "ones": r"""

>>> from ember_ml import ops
>>> print(ops.ones([3]))
[1. 1. 1.]""",
    "full": r"""

>>> from ember_ml import ops
>>> print(ops.full([3], 7))
[7 7 7]""",
    "empty": r"""

>>> from ember_ml import ops
>>> print(ops.empty([3]))
[0. 0. 0.]""",
    "zeros_like": r"""

>>> from ember_ml import ops
>>> print(ops.zeros_like([[-1.1, -1.9], [-0.9, 0.3]]))
[[0. 0.]
 [0. 0.]]""",
    "ones_like": r"""

>>> from ember_ml import ops
>>> print(ops.ones_like([[1.2, -0.8], [0.4, -1.5]]))
[[1. 1.]
 [1. 1.]]""",
    "full_like": r"""

>>> from ember_ml import ops
>>> print(ops.full_like([[0.1, -0.8], [2.4, -0.1]], 5))
[[5. 5.]
 [5. 5.]]""",
    "empty_like": r"""

>>> from ember_ml import ops
>>> print(ops.empty_like([[-0.1, 1.1], [0.4, -0.3]]))
[[0. 0.]
 [0. 0.]]""",
    "eye": r"""

>>> from ember_ml import ops
>>> print(ops.eye(4))
[[1. 0. 0. 0.]
 [0. 1. 0. 0.]
 [0. 0. 1. 0.]
 [0. 0. 0. 1.]]""",
    "arange": r"""

>>> from ember_ml import ops
>>> print(ops.arange(5))
[0 1 2 3 4]""",
    "linspace": r"""

>>> from ember_ml import ops
>>> print(ops.linspace(0, 1, 7).round(3))
[0.    0.167 0.333 0.5   0.667 0.833 1.   ]""",
    "logspace": r"""

>>> from ember_ml import ops
>>> print(ops.logspace(0, 2, 5).round(3))
[  1.      3.162  10.     31.623 100.   ]""",
    "meshgrid": r"""

>>> from ember_ml import ops
>>> print(*ops.meshgrid([-0.9, 0.7, 0.4, 1.1], [-0.2, -1.5, 0.2]), sep='\n')
[[-0.9  0.7  0.4  1.1]
 [-0.9  0.7  0.4  1.1]
 [-0.9  0.7  0.4  1.1]]
[[-0.2 -0.2 -0.2 -0.2]
 [-1.5 -1.5 -1.5 -1.5]
 [ 0.2  0.2  0.2  0.2]]""",
    "tril": r"""

>>> from ember_ml import ops
>>> print(ops.tril([[0.0, -0.6], [-1.1, -0.8]]))
[[ 0.   0. ]
 [-1.1 -0.8]]""",
    "triu": r"""

>>> from ember_ml import ops
>>> print(ops.triu([[1.4, 1.2], [0.8, 0.0]]))
[[1.4 1.2]
 [0.  0. ]]""",
    "tri": r"""

>>> from ember_ml import ops
>>> print(ops.tri(4))
[[1. 0. 0. 0.]
 [1. 1. 0. 0.]
 [1. 1. 1. 0.]
 [1. 1. 1. 1.]]""",
    "tril_indices": r"""

>>> from ember_ml import ops
>>> rows, columns = ops.tril_indices(4)
>>> print(rows)
[0 1 1 2 2 2 3 3 3 3]
>>> print(columns)
[0 0 1 0 1 2 0 1 2 3]""",
    "triu_indices": r"""

>>> from ember_ml import ops
>>> rows, columns = ops.triu_indices(4)
>>> print(rows)
[0 0 0 0 1 1 1 2 2 3]
>>> print(columns)
[0 1 2 3 1 2 3 2 3 3]""",
    "diag": r"""

>>> from ember_ml import ops
>>> print(ops.diag([-0.8, 0.4, -1.4, 0.6]))
[[-0.8  0.   0.   0. ]
 [ 0.   0.4  0.   0. ]
 [ 0.   0.  -1.4  0. ]
 [ 0.   0.   0.   0.6]]""",
    "one_hot": r"""

>>> from ember_ml import ops
>>> print(ops.one_hot([4, 2, 3, 0], 4))
[[0. 0. 0. 0.]
 [0. 0. 1. 0.]
 [0. 0. 0. 1.]
 [1. 0. 0. 0.]]""",
    "copy": r"""

>>> from ember_ml import ops
>>> print(ops.copy([[-0.4, 0.0], [0.2, -1.1]]))
[[-0.4  0. ]
 [ 0.2 -1.1]]""",
    "astype": r"""

>>> from ember_ml import ops
>>> print(ops.astype([2.9, -2.9, 0.5, -0.5], 'int32'))
[ 2 -2  0  0]""",
    "vander": r"""

>>> from ember_ml import ops
>>> print(ops.vander([-4, -5, -2, 0]))
[[ -64   16   -4    1]
 [-125   25   -5    1]
 [  -8    4   -2    1]
 [   0    0    0    1]]""",
    "abs": r"""

>>> from ember_ml import ops
>>> print(ops.abs([[-0.2, 0.2, 1.1], [-1.7, -1.6, 0.0]]))
[[0.2 0.2 1.1]
 [1.7 1.6 0. ]]""",
    "acos": r"""

>>> from ember_ml import ops
>>> print(ops.acos([0.2, 0.0, -0.1, -0.9, -0.2]).round(3))
[1.369 1.571 1.671 2.691 1.772]""",
    "acosh": r"""

>>> from ember_ml import ops
>>> print(ops.acosh([4.1, 1.7, 7.4, 1.0, 5.7]).round(3))
[2.089 1.123 2.69  0.    2.426]""",
    "asin": r"""

>>> from ember_ml import ops
>>> print(ops.asin([-0.5, 0.7, -0.2, 0.4]).round(3))
[-0.524  0.775 -0.201  0.412]""",
    "asinh": r"""

>>> from ember_ml import ops
>>> print(ops.asinh([7.2, -1.6, -1.1, 8.0]).round(3))
[ 2.672 -1.249 -0.95   2.776]""",
    "atan": r"""

>>> from ember_ml import ops
>>> print(ops.atan([-9.0, -1.9, -0.6, 4.2, -8.7]).round(3))
[-1.46  -1.086 -0.54   1.337 -1.456]""",
    "atanh": r"""

>>> from ember_ml import ops
>>> print(ops.atanh([0.0, -0.8, -0.4, 0.2]).round(3))
[ 0.    -1.099 -0.424  0.203]""",
    "bitwise_invert": r"""

>>> from ember_ml import ops
>>> print(ops.bitwise_invert([[3, -1], [4, -3]]))
[[-4  0]
 [-5  2]]""",
    "cbrt": r"""

>>> from ember_ml import ops
>>> print(ops.cbrt([[-7.5, -4.6], [5.8, 7.4]]).round(3))
[[-1.957 -1.663]
 [ 1.797  1.949]]""",
    "ceil": r"""

>>> from ember_ml import ops
>>> print(ops.ceil([8.2, -0.4, 4.0, 3.4, 7.8]))
[ 9. -0.  4.  4.  8.]""",
    "conj": r"""

>>> from ember_ml import ops
>>> print(ops.conj([[0.3+0.7j, -1.8+1.3j, 0.2+0.2j], [-0.7-0.1j, -0.8-0.5j, 0.1-2j]]))
[[ 0.3-0.7j -1.8-1.3j  0.2-0.2j]
 [-0.7+0.1j -0.8+0.5j  0.1+2.j ]]""",
    "cos": r"""

>>> from ember_ml import ops
>>> print(ops.cos([-1.3, -4.1, -8.5, 3.0, -4.9]).round(3))
[ 0.267 -0.575 -0.602 -0.99   0.187]""",
    "cosh": r"""

>>> from ember_ml import ops
>>> print(ops.cosh([-3.3, -2.7, 3.4, 2.6]).round(3))
[13.575  7.473 14.999  6.769]""",
    "digamma": r"""

>>> from ember_ml import ops
>>> print(ops.digamma([[4.4, 14.5], [18.7, 11.0]]).round(3))
[[1.364 2.639]
 [2.902 2.352]]""",
    "erf": r"""

>>> from ember_ml import ops
>>> print(ops.erf([[-2.4, 0.9], [-2.2, -1.7]]).round(3))
[[-0.999  0.797]
 [-0.998 -0.984]]""",
    "erfc": r"""

>>> from ember_ml import ops
>>> print(ops.erfc([[-0.8, -2.9], [0.3, -1.7]]).round(3))
[[1.742 2.   ]
 [0.671 1.984]]""",
    "erfinv": r"""

>>> from ember_ml import ops
>>> print(ops.erfinv([[-0.8, 0.9], [-0.1, -0.5]]).round(3))
[[-0.906  1.163]
 [-0.089 -0.477]]""",
    "exp": r"""

>>> from ember_ml import ops
>>> print(ops.exp([-1.3, -1.7, 0.2, -2.0]).round(3))
[0.273 0.183 1.221 0.135]""",
    "exp2": r"""

>>> from ember_ml import ops
>>> print(ops.exp2([[5.0, 2.4], [4.4, -3.2]]).round(3))
[[32.     5.278]
 [21.112  0.109]]""",
    "expm1": r"""

>>> from ember_ml import ops
>>> print(ops.expm1([0.1, 1.5, -0.9, -0.3]).round(3))
[ 0.105  3.482 -0.593 -0.259]""",
    "floor": r"""

>>> from ember_ml import ops
>>> print(ops.floor([7.1, -0.8, -7.1, 1.9, -7.5]))
[ 7. -1. -8.  1. -8.]""",
    "imag": r"""

>>> from ember_ml import ops
>>> print(ops.imag([[-1.4-1.2j, -0.4+0.9j, -0.5+0.7j], [0.7-2.2j, 0.3+2.4j, -0.3-0.5j]]))
[[-1.2  0.9  0.7]
 [-2.2  2.4 -0.5]]""",
    "isfinite": r"""

>>> from ember_ml import ops
>>> print(ops.isfinite([0.0, float('nan'), 0.0]))
[ True False  True]""",
    "isinf": r"""

>>> from ember_ml import ops
>>> print(ops.isinf([0.0, -1.0, float('inf'), 0.0, -1.0000000150474662e+30, 0.0]))
[False False  True False False False]""",
    "isnan": r"""

>>> from ember_ml import ops
>>> print(ops.isnan([0.0, float('nan'), 0.0]))
[False  True False]""",
    "lgamma": r"""

>>> from ember_ml import ops
>>> print(ops.lgamma([[19.8, 0.2, 9.9], [4.1, 7.1, 5.8]]).round(3))
[[38.747  1.524 12.577]
 [ 1.919  6.767  4.45 ]]""",
    "log": r"""

>>> from ember_ml import ops
>>> print(ops.log([8.2, 7.6, 3.8, 4.0]).round(3))
[2.104 2.028 1.335 1.386]""",
    "log10": r"""

>>> from ember_ml import ops
>>> print(ops.log10([8.3, 3.5, 1.8, 9.0]).round(3))
[0.919 0.544 0.255 0.954]""",
    "log1p": r"""

>>> from ember_ml import ops
>>> print(ops.log1p([4.1, 4.3, 7.7, -0.1]).round(3))
[ 1.629  1.668  2.163 -0.105]""",
    "log2": r"""

>>> from ember_ml import ops
>>> print(ops.log2([4.6, 7.8, 6.4, 1.8, 3.3]).round(3))
[2.202 2.963 2.678 0.848 1.722]""",
    "logical_not": r"""

>>> from ember_ml import ops
>>> print(ops.logical_not([[0.0, -0.5], [1.4, 0.3]]))
[[ True False]
 [False False]]""",
    "negative": r"""

>>> from ember_ml import ops
>>> print(ops.negative([[0.0, -1.3, 0.5], [-0.2, -0.6, 0.1]]))
[[-0.   1.3 -0.5]
 [ 0.2  0.6 -0.1]]""",
    "popcount": r"""

>>> from ember_ml import ops
>>> print(ops.popcount([[75, 50], [62, 91]]))
[[4 3]
 [5 5]]""",
    "count_zeros": r"""

>>> from ember_ml import ops
>>> print(ops.count_zeros([[62, 74], [13, 79]]))
[[59 61]
 [61 59]]""",
    "positive": r"""

>>> from ember_ml import ops
>>> print(ops.positive([[-1.7, -0.5], [1.0, -2.8]]))
[[-1.7 -0.5]
 [ 1.  -2.8]]""",
    "real": r"""

>>> from ember_ml import ops
>>> print(ops.real([[-0.2+1.1j, -0.2+2.7j, 1.9-1.7j], [0.3+0.5j, -1.4-0.1j, -0.1-0.7j]]))
[[-0.2 -0.2  1.9]
 [ 0.3 -1.4 -0.1]]""",
    "reciprocal": r"""

>>> from ember_ml import ops
>>> print(ops.reciprocal([1.6, 0.8, 1.5, 2.7]).round(3))
[0.625 1.25  0.667 0.37 ]""",
    "round": r"""

>>> from ember_ml import ops
>>> print(ops.round([-5.0, -1.8, 1.5, 4.8]))
[-5. -2.  2.  5.]""",
    "rsqrt": r"""

>>> from ember_ml import ops
>>> print(ops.rsqrt([[2.1, 3.9], [5.0, 4.9]]).round(3))
[[0.69  0.506]
 [0.447 0.452]]""",
    "sigmoid": r"""

>>> from ember_ml import ops
>>> print(ops.sigmoid([[6.2, 0.4, 4.1], [4.6, 6.3, 4.3]]).round(3))
[[0.998 0.599 0.984]
 [0.99  0.998 0.987]]""",
    "sign": r"""

>>> from ember_ml import ops
>>> print(ops.sign([[1.5, -0.5], [0.1, -1.5]]))
[[ 1. -1.]
 [ 1. -1.]]""",
    "signbit": r"""

>>> from ember_ml import ops
>>> print(ops.signbit([0.0, float('nan'), -float('inf')]))
[False False  True]""",
    "sin": r"""

>>> from ember_ml import ops
>>> print(ops.sin([7.4, -5.4, -8.2, 7.6, -3.8]).round(3))
[ 0.899  0.773 -0.941  0.968  0.612]""",
    "sinh": r"""

>>> from ember_ml import ops
>>> print(ops.sinh([-1.0, -0.8, -3.0, 1.9, 1.3]).round(3))
[ -1.175  -0.888 -10.018   3.268   1.698]""",
    "sqrt": r"""

>>> from ember_ml import ops
>>> print(ops.sqrt([3.4, 0.6, 6.1, 4.6, 3.8]).round(3))
[1.844 0.775 2.47  2.145 1.949]""",
    "square": r"""

>>> from ember_ml import ops
>>> print(ops.square([[0.4, -1.2, 0.9], [-0.2, -0.1, -1.9]]).round(3))
[[0.16 1.44 0.81]
 [0.04 0.01 3.61]]""",
    "tan": r"""

>>> from ember_ml import ops
>>> print(ops.tan([-0.8, -0.1, 0.2, 0.0, 0.1]).round(3))
[-1.03  -0.1    0.203  0.     0.1  ]""",
    "tanh": r"""

>>> from ember_ml import ops
>>> print(ops.tanh([0.4, -1.5, 2.0, 0.1, -0.1]).round(3))
[ 0.38  -0.905  0.964  0.1   -0.1  ]""",
    "trunc": r"""

>>> from ember_ml import ops
>>> print(ops.trunc([2.7, -1.4, 1.2, 4.5, 6.5]))
[ 2. -1.  1.  4.  6.]""",
    "angle": r"""

>>> from ember_ml import ops
>>> print(ops.angle([0.3, -0.5, -1.3, 1.1]).round(3))
[0.    3.142 3.142 0.   ]""",
    "deg2rad": r"""

>>> from ember_ml import ops
>>> print(ops.deg2rad([[-41.0, -5.3], [-32.4, 40.9]]).round(3))
[[-0.716 -0.093]
 [-0.565  0.714]]""",
    "rad2deg": r"""

>>> from ember_ml import ops
>>> print(ops.rad2deg([[-0.7, 0.2], [-2.2, -0.6]]).round(3))
[[ -40.107   11.459]
 [-126.051  -34.377]]""",
    "sinc": r"""

>>> from ember_ml import ops
>>> print(ops.sinc([0.0, -0.5, -3.3, 0.1, 7.7]).round(3))
[ 1.     0.637 -0.078  0.984 -0.033]""",
    "add": r"""

>>> from ember_ml import ops
>>> print(ops.add([1.2, 0.8, 0.5, 0.4], [-0.7, 0.7, 1.2, 1.5]).round(3))
[0.5 1.5 1.7 1.9]""",
    "subtract": r"""

>>> from ember_ml import ops
>>> print(ops.subtract([-1.2, -2.7, 0.0, 0.6], [-0.3, 0.5, 2.7, 0.0]).round(3))
[-0.9 -3.2 -2.7  0.6]""",
    "multiply": r"""

>>> from ember_ml import ops
>>> print(ops.multiply([2.5, 0.4, -0.1, 0.1, -0.4], [1.0, 1.4, 0.7, -0.5, 0.1]))
[ 2.5   0.56 -0.07 -0.05 -0.04]""",
    "divide": r"""

>>> from ember_ml import ops
>>> print(ops.divide([[-0.5, -0.9, -0.2], [-2.8, -1.0, 0.3]], [1.0, 1.8, 0.7]).round(3))
[[-0.5   -0.5   -0.286]
 [-2.8   -0.556  0.429]]""",
    "maximum": r"""

>>> from ember_ml import ops
>>> print(ops.maximum([[-2.4, -2.7, 1.4], [-4.4, -2.6, 0.7]], [1.8, -1.9, 4.3]))
[[ 1.8 -1.9  4.3]
 [ 1.8 -1.9  4.3]]""",
    "minimum": r"""

>>> from ember_ml import ops
>>> print(ops.minimum([[1.2, -0.1, -0.7, 0.1]], [1.9, -0.9, 0.4, -0.4]))
[[ 1.2 -0.9 -0.7 -0.4]]""",
    "floor_divide": r"""

>>> from ember_ml import ops
>>> print(ops.floor_divide([-15.8, -19.8, 4.2, -11.1], [3.3, 1.6, 4.3, 1.8]))
[ -5. -13.   0.  -7.]""",
    "remainder": r"""

>>> from ember_ml import ops
>>> print(ops.remainder([-5.1, 11.6, -12.9, -0.2], [3.9, 4.7, 4.6, 3.3]).round(3))
[2.7 2.2 0.9 3.1]""",
    "fmod": r"""

>>> from ember_ml import ops
>>> print(ops.fmod([19.6, -6.7, 9.3, -3.2], [3.9, 1.8, 3.7, 4.4]).round(3))
[ 0.1 -1.3  1.9 -3.2]""",
    "pow": r"""

>>> from ember_ml import ops
>>> print(ops.pow([2.1, 1.8, 2.0, 1.6, 1.2], [0.6, -0.5, -0.3, 0.5, 1.6]).round(3))
[1.561 0.745 0.812 1.265 1.339]""",
    "atan2": r"""

>>> from ember_ml import ops
>>> print(ops.atan2([0.3, -0.7, 0.1, -0.8], [-1.6, 0.5, -0.5, 1.3]).round(3))
[ 2.956 -0.951  2.944 -0.552]""",
    "copysign": r"""

>>> from ember_ml import ops
>>> print(ops.copysign([[-0.8, 0.5, 0.8], [0.7, 1.4, 0.2]], [0.2, 1.1, -0.4]))
[[ 0.8  0.5 -0.8]
 [ 0.7  1.4 -0.2]]""",
    "hypot": r"""

>>> from ember_ml import ops
>>> print(ops.hypot([[1.1, 0.6, 1.8], [-1.2, 0.4, -1.0]], [-0.2, 0.7, 0.1]).round(3))
[[1.118 0.922 1.803]
 [1.217 0.806 1.005]]""",
    "logaddexp": r"""

>>> from ember_ml import ops
>>> print(ops.logaddexp([[1.2, 0.8, -2.8], [0.5, -0.7, -0.6]], [0.5, 0.0, -0.2]).round(3))
[[ 1.603  1.171 -0.128]
 [ 1.193  0.403  0.313]]""",
    "nextafter": r"""

>>> from ember_ml import ops
>>> print(ops.nextafter([-0.7, 0.2, 1.0, -1.6], [-0.6, 0.0, -0.8, -0.1]).round(3))
[-0.7  0.2  1.  -1.6]""",
    "heaviside": r"""

>>> from ember_ml import ops
>>> print(ops.heaviside([-1.0, 2.0, 0.0], [0.5, 0.5, 0.5]))
[0.  1.  0.5]""",
    "bitwise_and": r"""

>>> from ember_ml import ops
>>> print(ops.bitwise_and([[5, -5], [-4, 0]], [1, 4]))
[[1 0]
 [0 0]]""",
    "bitwise_or": r"""

>>> from ember_ml import ops
>>> print(ops.bitwise_or([[2, 1, -1], [3, -5, 4]], [4, -3, -5]))
[[ 6 -3 -1]
 [ 7 -1 -1]]""",
    "bitwise_xor": r"""

>>> from ember_ml import ops
>>> print(ops.bitwise_xor([[0, 2, 1], [3, -3, -5]], [0, 2, -3]))
[[ 0  0 -4]
 [ 3 -1  6]]""",
    "bitwise_left_shift": r"""

>>> from ember_ml import ops
>>> x1 = ops.asarray([1, -1, 5], dtype='int32')
>>> x2 = ops.asarray([32, 40, 2], dtype='int32')
>>> print(ops.bitwise_left_shift(x1, x2))
[ 0  0 20]""",
    "bitwise_right_shift": r"""

>>> from ember_ml import ops
>>> print(ops.bitwise_right_shift([1, -1, 5], [32, 40, 2]))
[ 0 -1  1]""",
    "rotate_left": r"""

>>> from ember_ml import ops
>>> print(ops.rotate_left([61, 44, 45, 29], [7, 0, 3, 5]))
[7808   44  360  928]""",
    "rotate_right": r"""

>>> from ember_ml import ops
>>> print(ops.rotate_right([94, 34, 21, 62], 3, bit_width=1))
[0 0 1 0]""",
    "get_bit": r"""

>>> from ember_ml import ops
>>> print(ops.get_bit([23, 73, 95, 77, 67], [2, 5, 2, 0, 0]))
[1 0 1 1 1]""",
    "set_bit": r"""

>>> from ember_ml import ops
>>> print(ops.set_bit([37, 78, 92, 34, 8], [1, 5, 4, 0, 2], [True, True, False, True, True]))
[ 39 110  76  35  12]""",
    "toggle_bit": r"""

>>> from ember_ml import ops
>>> print(ops.toggle_bit([12, 70, 72, 84, 76], [2, 3, 4, 0, 5]))
[  8  78  88  85 108]""",
    "logical_and": r"""

>>> from ember_ml import ops
>>> print(ops.logical_and([[-0.9, 0.0, -0.1], [-1.6, -0.4, -0.8]], [0.1, -1.3, -0.4]))
[[ True False  True]
 [ True  True  True]]""",
    "logical_or": r"""

>>> from ember_ml import ops
>>> print(ops.logical_or([[5, 1], [0, -5]], [0, -3]))
[[ True  True]
 [False  True]]""",
    "logical_xor": r"""

>>> from ember_ml import ops
>>> print(ops.logical_xor([[0.1, -1.7, 1.3], [-2.6, 1.1, 0.0]], [-1.3, 1.6, 1.3]))
[[False False False]
 [False False  True]]""",
    "equal": r"""

>>> from ember_ml import ops
>>> print(ops.equal([[2, 1, 2], [1, 0, -1]], [-2, 1, -1]))
[[False  True False]
 [False False  True]]""",
    "not_equal": r"""

>>> from ember_ml import ops
>>> print(ops.not_equal([[2, 1, -2], [1, 2, -2]], [2, 1, -1]))
[[False False  True]
 [ True  True  True]]""",
    "less": r"""

>>> from ember_ml import ops
>>> print(ops.less([[2.5, -1.2, -1.1], [-1.5, 2.4, 0.9]], [0.8, 1.2, 0.1]))
[[False  True  True]
 [ True False False]]""",
    "less_equal": r"""

>>> from ember_ml import ops
>>> print(ops.less_equal([[-1.7, 0.4, -1.0], [0.3, -0.4, 2.2]], [2.7, 1.7, 0.0]))
[[ True  True  True]
 [ True  True False]]""",
    "greater": r"""

>>> from ember_ml import ops
>>> print(ops.greater([[-1.4, -0.1, 0.3], [-1.1, -1.2, -0.2]], [-0.8, -1.5, -1.8]))
[[False  True  True]
 [False  True  True]]""",
    "greater_equal": r"""

>>> from ember_ml import ops
>>> print(ops.greater_equal([[0.2, -0.8], [0.5, 1.0]], [-0.5, 1.0]))
[[ True False]
 [ True  True]]""",
    "where": r"""

>>> from ember_ml import ops
>>> print(ops.where([[False], [True]], [[-0.7, -0.9, -2.7], [-0.4, 1.3, 0.2]], [1.2, 0.0, -0.5]))
[[ 1.2  0.  -0.5]
 [-0.4  1.3  0.2]]""",
    "clip": r"""

>>> from ember_ml import ops
>>> print(ops.clip([[0, 3, 4], [5, -5, -2]], -1, 2))
[[ 0  2  2]
 [ 2 -1 -1]]""",
    "lerp": r"""

>>> from ember_ml import ops
>>> print(ops.lerp([0.5, -2.9, 1.2, 0.8], [-1.8, 0.8, -0.3, -1.4], [0.8, 0.5, 0.2, 0.7]).round(3))
[-1.34 -1.05  0.9  -0.74]""",
    "nan_to_num": r"""

>>> from ember_ml import ops
>>> print(ops.nan_to_num([float('nan'), -2.0]))
[ 0. -2.]""",
    "isclose": r"""

>>> from ember_ml import ops
>>> a = [1.0, float('inf'), float('nan'), 0.0]
>>> b = [1.0, float('inf'), float('nan'), 0.0]
>>> print(ops.isclose(a, b))
[ True  True False  True]""",
    "allclose": r"""

>>> from ember_ml import ops
>>> print(ops.allclose([1.0, 2.0, 3.0], [1.0, 2.0, 3.1]))
False""",
    "array_equal": r"""

>>> from ember_ml import ops
>>> print(ops.array_equal([0.0, -0.6, -0.3], [0.5, 0.4, 0.1, -1.4]))
False""",
    "sum": r"""

>>> from ember_ml import ops
>>> print(ops.sum([[0.6, -0.4], [1.9, 2.7]], axis=0))
[2.5 2.3]""",
    "prod": r"""

>>> from ember_ml import ops
>>> print(ops.prod([[2, 2, 2], [2, 2, 1]], axis=1))
[8 4]""",
    "mean": r"""

>>> from ember_ml import ops
>>> print(ops.mean([[-0.4, 1.7], [-0.6, 0.3], [0.1, -0.1]]).round(3))
0.167""",
    "var": r"""

>>> from ember_ml import ops
>>> print(ops.var([[0.7, -0.6], [-0.7, 0.0]], axis=0).round(3))
[0.49 0.09]""",
    "std": r"""

>>> from ember_ml import ops
>>> print(ops.std([[0.5, -1.6], [-0.6, -0.1], [0.7, 0.3]], axis=0).round(3))
[0.572 0.818]""",
    "max": r"""

>>> from ember_ml import ops
>>> print(ops.max([1.0, 3.0, 2.0, 3.0, 2.0]))
3.0""",
    "min": r"""

>>> from ember_ml import ops
>>> print(ops.min([1.0, 3.0, 2.0, 3.0, 2.0]))
1.0""",
    "all": r"""

>>> from ember_ml import ops
>>> print(ops.all([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0]], axis=0))
[ True  True False]""",
    "any": r"""

>>> from ember_ml import ops
>>> print(ops.any([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]], axis=0))
[False False  True]""",
    "count_nonzero": r"""

>>> from ember_ml import ops
>>> print(ops.count_nonzero([[0.0, 1.0, 3.0], [1.0, 3.0, 0.0]], axis=0))
[1 2 1]""",
    "logsumexp": r"""

>>> from ember_ml import ops
>>> print(ops.logsumexp([[0.0, 0.5], [-1.6, -1.1]], axis=0).round(3))
[0.184 0.684]""",
    "argmax": r"""

>>> from ember_ml import ops
>>> print(ops.argmax([[3.0, 1.0], [2.0, 3.0], [1.0, 1.0]], axis=0))
[0 1]""",
    "argmin": r"""

>>> from ember_ml import ops
>>> print(ops.argmin([[3.0, 1.0], [1.0, 1.0]], axis=0))
[1 0]""",
    "cumulative_sum": r"""

>>> from ember_ml import ops
>>> print(ops.cumulative_sum([1.0, 2.0, -2.2, 0.8, -1.3], axis=0).round(3))
[1.  3.  0.8 1.6 0.3]""",
    "cumulative_prod": r"""

>>> from ember_ml import ops
>>> print(ops.cumulative_prod([5, -1, -3, -2], axis=0))
[  5  -5  15 -30]""",
    "cumsum": r"""

>>> from ember_ml import ops
>>> print(ops.cumsum([[1.1, 1.0, 1.0], [1.0, 0.9, 1.0]]))
[1.1 2.1 3.1 4.1 5.  6. ]""",
    "cumprod": r"""

>>> from ember_ml import ops
>>> print(ops.cumprod([[1.0, 1.0, 1.0], [1.0, 1.0, 0.9]]))
[1.  1.  1.  1.  1.  0.9]""",
    "cummax": r"""

>>> from ember_ml import ops
>>> print(ops.cummax([0.0, 1.0, 5.0, 3.0]))
[0. 1. 5. 5.]""",
    "cummin": r"""

>>> from ember_ml import ops
>>> print(ops.cummin([-37.5, 28.9, -76.5, 34.2], axis=0))
[-37.5 -37.5 -76.5 -76.5]""",
    "logcumsumexp": r"""

>>> from ember_ml import ops
>>> print(ops.logcumsumexp([True, False, False, False]).round(3))
[1.    1.313 1.551 1.744]""",
    "sort": r"""

>>> from ember_ml import ops
>>> print(ops.sort([-2.8, -7.4, 70.0, 70.4, -97.7]))
[-97.7  -7.4  -2.8  70.   70.4]""",
    "argsort": r"""

>>> from ember_ml import ops
>>> print(ops.argsort([-54.9, -16.2, 87.9, -14.6, -52.8]))
[0 4 1 3 2]""",
    "topk": r"""

>>> from ember_ml import ops
>>> values, indices = ops.topk([10.1, -23.6, 3.1, -64.2], 3)
>>> print(values)
[ 10.1   3.1 -23.6]
>>> print(indices)
[0 2 1]""",
    "searchsorted": r"""

>>> from ember_ml import ops
>>> print(ops.searchsorted([0.0, 1.0, 2.0, 3.0, 5.0], [3.2, 0.5, 0.3, 1.6, 5.6]))
[4 1 1 2 5]""",
    "nonzero": r"""

>>> from ember_ml import ops
>>> print(*ops.nonzero([[0.0, 0.0, 1.0], [3.0, 0.0, 0.0]]), sep='\n')
[0 1]
[2 0]""",
    "argwhere": r"""

>>> from ember_ml import ops
>>> print(ops.argwhere([[0.0, 0.0], [1.0, 3.0], [0.0, 0.0]]))
[[1 0]
 [1 1]]""",
    "unique_all": r"""

>>> from ember_ml import ops
>>> values, indices, inverse_indices, counts = ops.unique_all([3.0, 2.0, 1.0, 5.0, 3.0])
>>> print(values)
[1. 2. 3. 5.]
>>> print(indices)
[2 1 0 3]
>>> print(inverse_indices)
[2 1 0 3 2]
>>> print(counts)
[1 1 2 1]""",
    "unique_counts": r"""

>>> from ember_ml import ops
>>> values, counts = ops.unique_counts([3.0, 2.0, 1.0, 5.0, 3.0])
>>> print(values)
[1. 2. 3. 5.]
>>> print(counts)
[1 1 2 1]""",
    "unique_inverse": r"""

>>> from ember_ml import ops
>>> values, inverse_indices = ops.unique_inverse([3.0, 2.0, 1.0, 5.0, 3.0])
>>> print(values)
[1. 2. 3. 5.]
>>> print(inverse_indices)
[2 1 0 3 2]""",
    "unique_values": r"""

>>> from ember_ml import ops
>>> print(ops.unique_values([0.3, 0.8, -0.2, 0.5, -0.3]))
[-0.3 -0.2  0.3  0.5  0.8]""",
    "isin": r"""

>>> from ember_ml import ops
>>> print(ops.isin([1.0, 2.0, 3.0, 4.0], [1.5, 2.0, 4.0]))
[False  True False  True]""",
    "median": r"""

>>> from ember_ml import ops
>>> print(ops.median([[0.9, -1.0, 0.7], [0.2, 1.6, -0.1]], axis=0).round(3))
[0.55 0.3  0.3 ]""",
    "quantile": r"""

>>> from ember_ml import ops
>>> print(ops.quantile([[-1, -6, -8], [-7, 0, 10]], [0.0, 0.2, 0.5, 1.0], axis=0).round(3))
[[-7.  -6.  -8. ]
 [-5.8 -4.8 -4.4]
 [-4.  -3.   1. ]
 [-1.   0.  10. ]]""",
    "percentile": r"""

>>> from ember_ml import ops
>>> print(ops.percentile([[-1.0, 0.0], [-0.6, 1.0]], [0.0, 6.2, 12.5, 25.0], axis=1).round(3))
[[-1.    -0.6  ]
 [-0.938 -0.501]
 [-0.875 -0.4  ]
 [-0.75  -0.2  ]]""",
    "diff": r"""

>>> from ember_ml import ops
>>> print(ops.diff([[False, False, False], [True, False, False]]))
[[False False]
 [ True False]]""",
    "gradient": r"""

>>> from ember_ml import ops
>>> print(ops.gradient([False, True, False, True, True]))
[1.  0.  0.  0.5 0. ]""",
    "histogram": r"""

>>> from ember_ml import ops
>>> counts, edges = ops.histogram([-1.3, -0.4, -1.9, 0.5], weights=[-1, 3, -5, 2])
>>> print(counts)
[-5  0 -1  0  0  0  3  0  0  2]
>>> print(edges.round(3))
[-1.9  -1.66 -1.42 -1.18 -0.94 -0.7  -0.46 -0.22  0.02  0.26  0.5 ]""",
    "bincount": r"""

>>> from ember_ml import ops
>>> print(ops.bincount([3, 7, 6, 2, 8]))
[0 0 1 1 0 0 1 1 1]""",
    "digitize": r"""

>>> from ember_ml import ops
>>> print(ops.digitize([2, -2, -3, -8], [1, 3, 4]))
[1 0 0 0]""",
    "nansum": r"""

>>> from ember_ml import ops
>>> print(ops.nansum([[-0.6, 0.7], [0.1, -0.8]], axis=1).round(3))
[ 0.1 -0.7]""",
    "nanprod": r"""

>>> from ember_ml import ops
>>> print(ops.nanprod([[0, 2], [-5, -3]], axis=0))
[ 0 -6]""",
    "nanmean": r"""

>>> from ember_ml import ops
>>> print(ops.nanmean([[-1.4, -0.5], [-0.4, 1.5]], axis=0))
[-0.9  0.5]""",
    "nanvar": r"""

>>> from ember_ml import ops
>>> print(ops.nanvar([[-1.4, -0.6, -1.5], [-1.6, -0.9, -0.8]], axis=0).round(3))
[0.01  0.022 0.122]""",
    "nanstd": r"""

>>> from ember_ml import ops
>>> print(ops.nanstd([[0, 5], [2, -4]], axis=0))
[1.  4.5]""",
    "nanmax": r"""

>>> from ember_ml import ops
>>> print(ops.nanmax([[-0.9, 0.7], [0.4, 1.2]], axis=1))
[0.7 1.2]""",
    "nanmin": r"""

>>> from ember_ml import ops
>>> print(ops.nanmin([[-1, -2, -3], [1, 3, 2]], axis=0))
[-1 -2 -3]""",
    "nanmedian": r"""

>>> from ember_ml import ops
>>> print(ops.nanmedian([[-0.6, -1.9], [-0.3, 0.4]], axis=0).round(3))
[-0.45 -0.75]""",
    "nanargmax": r"""

>>> from ember_ml import ops
>>> print(ops.nanargmax([[[-2, 1], [-3, 4]]], axis=1))
[[0 1]]""",
    "nanargmin": r"""

>>> from ember_ml import ops
>>> print(ops.nanargmin([[1, -5, 3], [-4, 4, -2]], axis=0))
[1 0 1]""",
    "cov": r"""

>>> from ember_ml import ops
>>> print(ops.cov([0.3, -0.3, 0.8, -1.5, -1.2]))
0.947""",
    "corrcoef": r"""

>>> from ember_ml import ops
>>> print(ops.corrcoef([-1.4, -0.6, 1.1, 1.3]))
1.0""",
    "gaussian": r"""

>>> from ember_ml import ops
>>> print(ops.gaussian([-1, 0, -2, 1]).round(3))
[0.242 0.399 0.054 0.242]""",
    "reduce_l1": r"""

>>> from ember_ml import ops
>>> print(ops.reduce_l1([1.0, 2.0, 3.0]))
6.0""",
    "reduce_l2": r"""

>>> from ember_ml import ops
>>> print(ops.reduce_l2([1.0, 2.0, 3.0]).round(3))
3.742""",
    "reduce_log_sum": r"""

>>> from ember_ml import ops
>>> print(ops.reduce_log_sum([1.0, 2.0, 3.0]).round(3))
1.792""",
    "reduce_sum_square": r"""

>>> from ember_ml import ops
>>> print(ops.reduce_sum_square([1.0, 2.0, 3.0]))
14.0""",
    "ptp": r"""

>>> from ember_ml import ops
>>> print(ops.ptp([1.0, 2.0, 3.0]))
2.0""",
    "average": r"""

>>> from ember_ml import ops
>>> print(ops.average([[-1.0, -0.1], [-0.8, -1.3], [0.8, 2.3]], axis=0).round(3))
[-0.333  0.3  ]""",
    "reshape": r"""

>>> from ember_ml import ops
>>> print(ops.reshape([[1.4, 0.7], [2.4, -0.6]], [-1]))
[ 1.4  0.7  2.4 -0.6]""",
    "transpose": r"""

>>> from ember_ml import ops
>>> print(ops.transpose([[-0.9, 1.3], [-0.3, -0.7]]))
[[-0.9 -0.3]
 [ 1.3 -0.7]]""",
    "permute_dims": r"""

>>> from ember_ml import ops
>>> print(ops.permute_dims([[0.2, 0.9], [-0.3, 1.2]], [1, 0]))
[[ 0.2 -0.3]
 [ 0.9  1.2]]""",
    "matrix_transpose": r"""

>>> from ember_ml import ops
>>> print(ops.matrix_transpose([[-0.4, 0.6], [-0.5, 1.1], [1.4, 0.1]]))
[[-0.4 -0.5  1.4]
 [ 0.6  1.1  0.1]]""",
    "moveaxis": r"""

>>> from ember_ml import ops
>>> print(ops.moveaxis([[[-0.7, -2.1, -0.4, 0.8]]], 0, 2))
[[[-0.7]
  [-2.1]
  [-0.4]
  [ 0.8]]]""",
    "swapaxes": r"""

>>> from ember_ml import ops
>>> print(ops.swapaxes([[[0.3, -0.3], [0.0, -0.4]]], 0, 1))
[[[ 0.3 -0.3]]
<BLANKLINE>
 [[ 0.  -0.4]]]""",
    "squeeze": r"""

>>> from ember_ml import ops
>>> print(ops.squeeze([[[-0.7], [-0.5], [1.9]]], -1))
[[-0.7 -0.5  1.9]]""",
    "expand_dims": r"""

>>> from ember_ml import ops
>>> print(ops.expand_dims([[-0.8, 1.0], [0.5, -0.9]], 0))
[[[-0.8  1. ]
  [ 0.5 -0.9]]]""",
    "broadcast_to": r"""

>>> from ember_ml import ops
>>> print(ops.broadcast_to([0.5, -1.8, 0.9, -2.5], [3, 4]))
[[ 0.5 -1.8  0.9 -2.5]
 [ 0.5 -1.8  0.9 -2.5]
 [ 0.5 -1.8  0.9 -2.5]]""",
    "broadcast_arrays": r"""

>>> from ember_ml import ops
>>> print(*ops.broadcast_arrays([-1.3, -0.2, 0.9, 1.6, 0.5]), sep='\n')
[-1.3 -0.2  0.9  1.6  0.5]""",
    "broadcast_shapes": r"""

>>> from ember_ml import ops
>>> ops.broadcast_shapes([5])
(5,)""",
    "concat": r"""

>>> from ember_ml import ops
>>> print(ops.concat([[[0.1, -1.0], [-2.7, 0.6]], [[1.0, 0.5], [0.0, 0.8]]], axis=1))
[[ 0.1 -1.   1.   0.5]
 [-2.7  0.6  0.   0.8]]""",
    "stack": r"""

>>> from ember_ml import ops
>>> arrays = [[[-0.6, -0.2], [-0.8, 0.4]], [[-0.3, 0.2], [-1.9, 0.8]], [[0.7, -0.5], [-0.6, -2.2]]]
>>> print(ops.stack(arrays, axis=2))
[[[-0.6 -0.3  0.7]
  [-0.2  0.2 -0.5]]
<BLANKLINE>
 [[-0.8 -1.9 -0.6]
  [ 0.4  0.8 -2.2]]]""",
    "hstack": r"""

>>> from ember_ml import ops
>>> print(ops.hstack([[[0.0, 1.6], [-1.0, -0.9]], [[-0.9, 1.9], [0.4, -1.6]]]))
[[ 0.   1.6 -0.9  1.9]
 [-1.  -0.9  0.4 -1.6]]""",
    "vstack": r"""

>>> from ember_ml import ops
>>> print(ops.vstack([[[1.8, 1.0], [0.5, 0.1]], [[0.9, 0.2], [-0.3, -2.2]]]))
[[ 1.8  1. ]
 [ 0.5  0.1]
 [ 0.9  0.2]
 [-0.3 -2.2]]""",
    "dstack": r"""

>>> from ember_ml import ops
>>> print(ops.dstack([[[-0.9, 0.4], [-0.4, 0.7]], [[1.0, 0.7], [-0.3, 0.4]]]))
[[[-0.9  1. ]
  [ 0.4  0.7]]
<BLANKLINE>
 [[-0.4 -0.3]
  [ 0.7  0.4]]]""",
    "unstack": r"""

>>> from ember_ml import ops
>>> print(*ops.unstack([1.6, -0.7, -1.0, 0.2]), sep='\n')
1.6
-0.7
-1.0
0.2""",
    "split": r"""

>>> from ember_ml import ops
>>> print(*ops.split([[0.9, 1.1], [0.0, 1.8], [0.5, -1.5]], 3), sep='\n')
[[0.9 1.1]]
[[0.  1.8]]
[[ 0.5 -1.5]]""",
    "array_split": r"""

>>> from ember_ml import ops
>>> print(*ops.array_split([[0.9, -0.1], [0.1, -0.4], [-0.5, 1.6]], 3), sep='\n')
[[ 0.9 -0.1]]
[[ 0.1 -0.4]]
[[-0.5  1.6]]""",
    "tile": r"""

>>> from ember_ml import ops
>>> print(ops.tile([[1.2, -0.3, -0.7], [1.1, -0.5, -0.1]], 2))
[[ 1.2 -0.3 -0.7  1.2 -0.3 -0.7]
 [ 1.1 -0.5 -0.1  1.1 -0.5 -0.1]]""",
    "repeat": r"""

>>> from ember_ml import ops
>>> print(ops.repeat([-1.1, 1.0, -0.3, 0.4], [1, 0, 0, 2]))
[-1.1  0.4  0.4]""",
    "flip": r"""

>>> from ember_ml import ops
>>> print(ops.flip([[1.7, -0.1], [-1.3, -0.6]], axis=0))
[[-1.3 -0.6]
 [ 1.7 -0.1]]""",
    "roll": r"""

>>> from ember_ml import ops
>>> print(ops.roll([[0.0, -0.3, 1.6], [-1.2, -3.0, -0.2]], -1, axis=0))
[[-1.2 -3.  -0.2]
 [ 0.  -0.3  1.6]]""",
    "rot90": r"""

>>> from ember_ml import ops
>>> print(ops.rot90([[2.1, -1.1], [1.3, -1.4]], k=-1))
[[ 1.3  2.1]
 [-1.4 -1.1]]""",
    "pad": r"""

>>> from ember_ml import ops
>>> print(ops.pad([[0.3, 0.8], [0.0, -1.5]], [1, 1]))
[[ 0.   0.   0.   0. ]
 [ 0.   0.3  0.8  0. ]
 [ 0.   0.  -1.5  0. ]
 [ 0.   0.   0.   0. ]]""",
    "flatten": r"""

>>> from ember_ml import ops
>>> print(ops.flatten([[0.8, -1.2], [0.5, 0.9]]))
[ 0.8 -1.2  0.5  0.9]""",
    "atleast_nd": r"""

>>> from ember_ml import ops
>>> print(ops.atleast_nd([[0.1, -1.5], [1.0, -2.0]], 4))
[[[[ 0.1 -1.5]
   [ 1.  -2. ]]]]""",
    "diagonal": r"""

>>> from ember_ml import ops
>>> print(ops.diagonal([[-0.2, -2.1], [-1.3, 1.3]]))
[-0.2  1.3]""",
    "as_strided": r"""

>>> from ember_ml import ops
>>> print(ops.as_strided([[-0.6, -1.2, 0.5, -0.6], [-0.8, 0.1, -0.9, -1.3]], [2, 2], [5, 1], 1))
[[-1.2  0.5]
 [-0.9 -1.3]]""",
    "windows": r"""

>>> from ember_ml import ops
>>> print(ops.windows([1.2, -1.3, -1.1, 0.3], [3], [2], None))
[[ 1.2 -1.3 -1.1]]""",
    "frame": r"""

>>> from ember_ml import ops
>>> print(ops.frame([1.8, -1.7, -2.3, 0.0], 4, 2))
[[ 1.8 -1.7 -2.3  0. ]]""",
    "slice": r"""

>>> from ember_ml import ops
>>> print(ops.slice([-1.7, 0.8, -0.8, 1.3, -1.0], [2], [8], None, None))
[-0.8  1.3 -1. ]""",
    "take": r"""

>>> from ember_ml import ops
>>> print(ops.take([-0.6, 0.6, -1.8, 1.6], 2))
-1.8""",
    "take_along_axis": r"""

>>> from ember_ml import ops
>>> print(ops.take_along_axis([[-1.2, 0.3], [0.6, -0.6], [0.9, -1.5]], [[0, -1], [-2, 1]], axis=0))
[[-1.2 -1.5]
 [ 0.6 -0.6]]""",
    "gather": r"""

>>> from ember_ml import ops
>>> print(ops.gather([-0.3, 1.3, -0.6, -0.4], [-1, -4, -2, -3]))
[-0.4 -0.3 -0.6  1.3]""",
    "gather_nd": r"""

>>> from ember_ml import ops
>>> print(ops.gather_nd([-0.4, -0.9, 1.1, 1.8, -0.1], [[3], [-4], [2], [-1], [0]]))
[ 1.8 -0.9  1.1 -0.1 -0.4]""",
    "scatter": r"""

>>> from ember_ml import ops
>>> print(ops.scatter([1.2, -2.7, -0.8, -1.5], [0, -1, 5, -3], 6))
[ 1.2  0.   0.  -1.5  0.  -3.5]""",
    "scatter_add": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_add([-0.8, -0.1, 1.8, -1.1], [0, 0, 4, 0], 5))
[-2.   0.   0.   0.   1.8]""",
    "scatter_max": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_max([-0.9, -0.5, 2.0, 0.9], [0, 0, 4, 0], 5))
[0.9 0.  0.  0.  2. ]""",
    "scatter_min": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_min([-1.1, -0.1, 0.4, -0.3], [0, 0, 4, 0], 5))
[-1.1  0.   0.   0.   0.4]""",
    "scatter_softmax": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_softmax([-0.8, -0.2, 0.8, 0.2, 1.5, -0.3], [0, 2, 0, 4, 2, 0], 5).round(3))
[0.132 0.154 0.652 1.    0.846 0.217]""",
    "scatter_mean": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_mean([[1.6], [0.0], [1.1], [0.7]], [0, 0, 2, 0]).round(3))
[[0.767]
 [0.   ]
 [1.1  ]]""",
    "scatter_elements": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_elements([1.2, -2.5, 0.2, 1.3, 0.7], [2, 0, -4, 3], [0.5, -0.9, -0.6, 0.2]))
[-0.9 -0.6  0.5  0.2  0.7]""",
    "scatter_nd": r"""

>>> from ember_ml import ops
>>> print(ops.scatter_nd([[-0.4, -0.5, -1.0], [0.9, -1.5, 0.8]], [[0, 0], [0, 1], [1, 0]], 7))
[[ 7.   7.  -1. ]
 [ 7.  -1.5  0.8]]""",
    "tensor_scatter_nd_update": r"""

>>> from ember_ml import ops
>>> x = [-0.3, 1.0, -0.5, 0.4, 0.6]
>>> indices = [[1], [3], [1], [1]]
>>> updates = [-0.9, -0.1, 0.7, 0.8]
>>> print(ops.tensor_scatter_nd_update(x, indices, updates))
[-0.3  0.8 -0.5 -0.1  0.6]""",
    "slice_update": r"""

>>> from ember_ml import ops
>>> print(ops.asarray([0.4, 0.2, -0.4, 0.7, -1.3]).slice_update([-2.4, 2.4, 0.7], [2], None))
[ 0.4  0.2 -2.4  2.4  0.7]""",
    "slice_tensor": r"""

>>> from ember_ml import ops
>>> print(ops.slice_tensor([[0, -1], [5, -2], [-5, -4]], [1, 0], [2, 2]))
[[ 5 -2]
 [-5 -4]]""",
    "index_add": r"""

>>> from ember_ml import ops
>>> print(ops.index_add([-1.6, -1.1, -1.2, -0.5, -0.9], [0, 0, 0, 4], [0.9, 0.2, -0.6, 1.1]).round(3))
[-1.1 -1.1 -1.2 -0.5  0.2]""",
    "put_along_axis": r"""

>>> from ember_ml import ops
>>> x = [[-1.8, 0.5, 1.6], [0.6, 1.1, -0.1]]
>>> indices = [[1, 0], [1, 0]]
>>> values = [[-0.1, 0.9], [2.2, -0.9]]
>>> print(ops.put_along_axis(x, indices, values))
[[ 0.9 -0.1  1.6]
 [-0.9  2.2 -0.1]]""",
    "segment_sum": r"""

>>> from ember_ml import ops
>>> print(ops.segment_sum([[0.1, -0.5], [0.2, -1.2], [-2.5, -0.7]], [0, 1, 3]))
[[ 0.1 -0.5]
 [ 0.2 -1.2]
 [ 0.   0. ]
 [-2.5 -0.7]]""",
    "embedding": r"""

>>> from ember_ml import ops
>>> print(ops.embedding([[-0.3, -0.7], [-0.3, -0.1], [-0.9, -0.6]], [1, -2, -1]))
[[-0.3 -0.1]
 [-0.3 -0.1]
 [-0.9 -0.6]]""",
    "masked_select": r"""

>>> from ember_ml import ops
>>> print(ops.masked_select([-0.4, 1.9, 0.7, 1.8, 1.1], [True, True, False, True, True]))
[-0.4  1.9  1.8  1.1]""",
    "masked_fill": r"""

>>> from ember_ml import ops
>>> print(ops.masked_fill([-3, 5, -5, 2, 3], [True, True, True, True, False], 5))
[5 5 5 5 3]""",
    "matmul": r"""

>>> from ember_ml import ops
>>> print(ops.matmul([-0.1, 1.3, 0.2, -1.4], [-1.3, -0.9, 1.1, 0.4]).round(3))
-1.38""",
    "dot": r"""

>>> from ember_ml import ops
>>> print(ops.dot([[-0.6, 0.6], [0.0, 0.2]], [[-1.7, 0.1, 0.2], [0.6, -0.5, 1.2]]).round(3))
[[ 1.38 -0.36  0.6 ]
 [ 0.12 -0.1   0.24]]""",
    "inner": r"""

>>> from ember_ml import ops
>>> print(ops.inner([[1.1, -1.1, 0.2], [0.1, -0.2, 0.7]], [[1.6, 0.3, 0.9], [-0.8, 0.0, -0.4]]).round(3))
[[ 1.61 -0.96]
 [ 0.73 -0.36]]""",
    "outer": r"""

>>> from ember_ml import ops
>>> print(ops.outer([-1.2, 1.2, -0.3], [0.6, -0.1, 0.7, -0.9]).round(3))
[[-0.72  0.12 -0.84  1.08]
 [ 0.72 -0.12  0.84 -1.08]
 [-0.18  0.03 -0.21  0.27]]""",
    "vecdot": r"""

>>> from ember_ml import ops
>>> print(ops.vecdot([[-1.1, 1.4], [1.0, 0.3]], [[-2.5, 0.5], [-0.2, -0.5]], axis=-2).round(3))
[2.55 0.55]""",
    "tensordot": r"""

>>> from ember_ml import ops
>>> print(ops.tensordot([[-0.1, 0.9], [-0.6, 0.2]], [[0.4, -0.5], [-0.4, -0.3]]).round(3))
-0.31""",
    "einsum": r"""

>>> from ember_ml import ops
>>> print(ops.einsum('ij->ji', [[[2.0, -1.3], [2.7, 0.6]]]))
[[ 2.   2.7]
 [-1.3  0.6]]""",
    "kron": r"""

>>> from ember_ml import ops
>>> print(ops.kron([1.0, 1.9, 0.3], [[0.6, -1.2], [-2.2, 0.2]]))
[[ 0.6  -1.2   1.14 -2.28  0.18 -0.36]
 [-2.2   0.2  -4.18  0.38 -0.66  0.06]]""",
    "cross": r"""

>>> from ember_ml import ops
>>> print(ops.cross([-0.6, -0.1, 0.5], [-1.1, -0.4, -0.5]))
[ 0.25 -0.85  0.13]""",
    "multi_dot": r"""

>>> from ember_ml import ops
>>> print(ops.multi_dot([[[1.0, 0.8], [2.1, 0.3]], [[1.5, -0.5, 1.3], [-0.8, 0.7, -0.3]]]).round(3))
[[ 0.86  0.06  1.06]
 [ 2.91 -0.84  2.64]]""",
    "gemm": r"""

>>> from ember_ml import ops
>>> a = [[1.0, 0.1], [0.6, -0.2]]
>>> b = [[-0.8, -1.3], [-2.2, 1.4]]
>>> c = [[1.7, 0.1], [-0.1, -0.2]]
>>> print(ops.gemm(a, b, c).round(3))
[[ 0.68 -1.06]
 [-0.14 -1.26]]""",
    "trace": r"""

>>> from ember_ml import ops
>>> print(ops.trace([[[-0.2, -0.1]], [[-0.3, 0.4]]]))
[-0.2 -0.3]""",
    "cholesky": r"""

>>> from ember_ml import ops
>>> print(ops.cholesky([[2.6, 7.0], [0.2, 1.5]]).round(3))
[[1.612 0.   ]
 [0.124 1.218]]""",
    "det": r"""

>>> from ember_ml import ops
>>> print(ops.det([[3.0, -0.3], [0.3, 3.6]]).round(3))
10.89""",
    "slogdet": r"""

>>> from ember_ml import ops
>>> sign, logabsdet = ops.slogdet([[4.1, 0.2], [-0.3, 3.5]])
>>> print(sign)
1.0
>>> print(logabsdet.round(3))
2.668""",
    "eig": r"""

>>> from ember_ml import ops
>>> eigenvalues, eigenvectors = ops.eig([[[-4.1, 0.4], [0.4, 2.7]]])
>>> print(eigenvalues.round(3))
[[-4.123+0.j  2.723+0.j]]
>>> print(eigenvectors.round(3))
[[[-0.998+0.j -0.059+0.j]
  [ 0.059+0.j -0.998+0.j]]]""",
    "eigh": r"""

>>> from ember_ml import ops
>>> eigenvalues, eigenvectors = ops.eigh([[-0.7, 0.3], [-1.0, -0.3]])
>>> print(eigenvalues.round(3))
[-1.52  0.52]
>>> print(eigenvectors.round(3))
[[-0.773  0.634]
 [-0.634 -0.773]]""",
    "eigvals": r"""

>>> from ember_ml import ops
>>> print(ops.eigvals([[2.3, -0.4], [0.8, 2.2]]).round(3))
[2.25+0.563j 2.25-0.563j]""",
    "eigvalsh": r"""

>>> from ember_ml import ops
>>> print(ops.eigvalsh([[-0.6+0j, 0.6-1.7j], [0.6+1.7j, -0.8+0j]]).round(3))
[-2.506  1.106]""",
    "inv": r"""

>>> from ember_ml import ops
>>> print(ops.inv([[3.8, 0.3], [0.4, 4.9]]).round(3))
[[ 0.265 -0.016]
 [-0.022  0.205]]""",
    "pinv": r"""

>>> from ember_ml import ops
>>> print(ops.pinv([[-0.7, 1.0], [1.1, -0.5]]).round(3))
[[0.667 1.333]
 [1.467 0.933]]""",
    "qr": r"""

>>> from ember_ml import ops
>>> Q, R = ops.qr([[-0.7, -0.4], [0.5, 0.2]])
>>> print(Q.round(3))
[[-0.814  0.581]
 [ 0.581  0.814]]
>>> print(R.round(3))
[[ 0.86   0.442]
 [ 0.    -0.07 ]]""",
    "solve": r"""

>>> from ember_ml import ops
>>> print(ops.solve([[3.9, -0.7], [0.1, 4.4]], [[-0.3, -0.6, 0.4], [1.1, 0.2, -2.0]]).round(3))
[[-0.032 -0.145  0.021]
 [ 0.251  0.049 -0.455]]""",
    "solve_triangular": r"""

>>> from ember_ml import ops
>>> print(ops.solve_triangular([[2.2, 0.1], [0.0, 2.0]], [[0.6, -0.8, 0.2], [1.0, -0.3, -1.9]]).round(3))
[[ 0.273 -0.364  0.091]
 [ 0.5   -0.15  -0.95 ]]""",
    "svd": r"""

>>> from ember_ml import ops
>>> U, S, Vh = ops.svd([[0.1, -0.6], [0.2, 0.5]], full_matrices=False)
>>> print(U.round(3))
[[-0.755  0.655]
 [ 0.655  0.755]]
>>> print(S.round(3))
[0.783 0.217]
>>> print(Vh.round(3))
[[ 0.071  0.997]
 [ 0.997 -0.071]]""",
    "svdvals": r"""

>>> from ember_ml import ops
>>> print(ops.svdvals([[-0.2, 1.2], [0.7, -1.4], [1.4, -0.3]]).round(3))
[2.169 1.129]""",
    "lu": r"""

>>> from ember_ml import ops
>>> P, L, U = ops.lu([[0.7, -0.9], [-1.0, 1.0]])
>>> print(P)
[1 0]
>>> print(L)
[[ 1.   0. ]
 [-0.7  1. ]]
>>> print(U.round(3))
[[-1.   1. ]
 [ 0.  -0.2]]""",
    "lstsq": r"""

>>> from ember_ml import ops
>>> solution, residuals, rank, singular_values = ops.lstsq([[0.6, 0.0], [-0.2, 0.9], [-0.1, 0.1]], [[1.8, 1.3], [1.2, -2.2], [0.4, -1.9]])
>>> print(solution.round(3))
[[ 2.895  2.479]
 [ 2.037 -2.072]]
>>> print(residuals.round(3))
[0.243 2.149]
>>> print(rank)
2
>>> print(singular_values.round(3))
[0.946 0.579]""",
    "matrix_power": r"""

>>> from ember_ml import ops
>>> print(ops.matrix_power([[1.2, 0.3], [0.2, 1.5]], n=0))
[[1. 0.]
 [0. 1.]]""",
    "matrix_rank": r"""

>>> from ember_ml import ops
>>> print(ops.matrix_rank([[-1.3, -1.1, 1.8], [-0.8, 0.2, 1.0]]))
2""",
    "matrix_norm": r"""

>>> from ember_ml import ops
>>> print(ops.matrix_norm([[-0.3, -0.7], [0.6, 0.0]]).round(3))
0.97""",
    "vector_norm": r"""

>>> from ember_ml import ops
>>> print(ops.vector_norm([2, 7, 3, 6], ord=2).round(3))
9.899""",
    "norm": r"""

>>> from ember_ml import ops
>>> print(ops.norm([[-0.5, -0.2], [-2.7, -0.6]]).round(3))
2.818""",
    "expm": r"""

>>> from ember_ml import ops
>>> print(ops.expm([[0.2, 0.0], [0.4, -0.3]]).round(3))
[[1.221 0.   ]
 [0.384 0.741]]""",
    "orthogonal": r"""

>>> from ember_ml import ops
>>> print(ops.orthogonal([4, 4], seed=7).round(3))
[[ 0.924 -0.111  0.179  0.318]
 [-0.293  0.402  0.355  0.791]
 [ 0.035  0.013 -0.909  0.414]
 [ 0.242  0.909 -0.122 -0.317]]""",
    "cond": r"""

>>> from ember_ml import ops
>>> print(ops.cond([[3.8, -0.3], [-0.6, 0.2]]).round(3))
25.702""",
    "fft": r"""

>>> from ember_ml import ops
>>> print(ops.fft([-0.4-1.3j, 1.6-0.3j, -1.1+1.4j, -0.7+0.6j]).round(3))
[-0.6+0.4j -0.2-5.j  -2.4-0.2j  1.6-0.4j]""",
    "ifft": r"""

>>> from ember_ml import ops
>>> print(ops.ifft([1-1.6j, 0.5+1.2j, -0.6j, -0.7+0.5j]).round(3))
[0.2  -0.125j 0.075+0.05j  0.3  -0.975j 0.425-0.55j ]""",
    "rfft": r"""

>>> from ember_ml import ops
>>> print(ops.rfft([-2.2, -0.2, 2.2, 0.1]))
[-0.1+0.j  -4.4+0.3j  0.1+0.j ]""",
    "irfft": r"""

>>> from ember_ml import ops
>>> print(ops.irfft([-1.3+1.4j, -0.3+0.4j, 1-1.2j, 0.9+0.8j]).round(3))
[ 0.167 -0.352 -0.645  0.067  0.279 -0.814]""",
    "hfft": r"""

>>> from ember_ml import ops
>>> print(ops.hfft([-0.4-0.3j, 1+0.1j, 1.3+0.6j, 2+1j]).round(3))
[ 6.2   -1.488 -1.566 -1.8    0.166 -3.912]""",
    "ihfft": r"""

>>> from ember_ml import ops
>>> print(ops.ihfft([1.6, 0.5, 1.0, -1.1]).round(3))
[0.5 +0.j  0.15+0.4j 0.8 +0.j ]""",
    "fftn": r"""

>>> from ember_ml import ops
>>> print(ops.fftn([-0.1-2j, -0.7+0.1j, 0.3+0j, 0.7-0.5j]).round(3))
[ 0.2-2.4j  0.2-0.6j  0.2-1.6j -1. -3.4j]""",
    "ifftn": r"""

>>> from ember_ml import ops
>>> print(ops.ifftn([[[-0.2, 0.5], [-0.4, -0.1]]]).round(3))
[[[-0.05+0.j -0.25+0.j]
  [ 0.2 +0.j -0.1 +0.j]]]""",
    "rfftn": r"""

>>> from ember_ml import ops
>>> print(ops.rfftn([[[-0.7, -1.1], [-0.2, 0.0]]]).round(3))
[[[-2. +0.j  0.2+0.j]
  [-1.6+0.j  0.6+0.j]]]""",
    "irfftn": r"""

>>> from ember_ml import ops
>>> print(ops.irfftn([[[-0.9, -0.8], [-2.1, -0.2]]]).round(3))
[[[-1.   -0.5 ]
  [ 0.15  0.45]]]""",
    "fft2": r"""

>>> from ember_ml import ops
>>> print(ops.fft2([[-0.5, -0.1, -1.5, 0.1]]))
[[-2.+0.j   1.+0.2j -2.+0.j   1.-0.2j]]""",
    "ifft2": r"""

>>> from ember_ml import ops
>>> print(ops.ifft2([[-1.4, 0.2], [1.4, 0.6]]).round(3))
[[ 0.2+0.j -0.2+0.j]
 [-0.8+0.j -0.6+0.j]]""",
    "rfft2": r"""

>>> from ember_ml import ops
>>> print(ops.rfft2([[0.5, 0.7, 0.0, -0.1]]).round(3))
[[ 1.1+0.j   0.5-0.8j -0.1+0.j ]]""",
    "irfft2": r"""

>>> from ember_ml import ops
>>> print(ops.irfft2([[-0.4, -2.1], [-0.5, 0.9]]).round(3))
[[-0.525  0.075]
 [-0.725  0.775]]""",
    "fftfreq": r"""

>>> from ember_ml import ops
>>> print(ops.fftfreq(6).round(3))
[ 0.     0.167  0.333 -0.5   -0.333 -0.167]""",
    "rfftfreq": r"""

>>> from ember_ml import ops
>>> print(ops.rfftfreq(6).round(3))
[0.    0.167 0.333 0.5  ]""",
    "fftshift": r"""

>>> from ember_ml import ops
>>> print(ops.fftshift([-1.7, 1.1, 0.4, 0.0]))
[ 0.4  0.  -1.7  1.1]""",
    "ifftshift": r"""

>>> from ember_ml import ops
>>> print(ops.ifftshift([-1.6, 0.3, -0.5, -0.7]))
[-0.5 -0.7 -1.6  0.3]""",
    "hann_window": r"""

>>> from ember_ml import ops
>>> print(ops.hann_window(10).round(3))
[0.    0.095 0.345 0.655 0.905 1.    0.905 0.655 0.345 0.095]""",
    "hamming_window": r"""

>>> from ember_ml import ops
>>> print(ops.hamming_window(10).round(3))
[0.08  0.168 0.398 0.682 0.912 1.    0.912 0.682 0.398 0.168]""",
    "blackman_window": r"""

>>> from ember_ml import ops
>>> print(ops.blackman_window(10).round(3))
[-0.     0.04   0.201  0.51   0.849  1.     0.849  0.51   0.201  0.04 ]""",
    "bartlett_window": r"""

>>> from ember_ml import ops
>>> print(ops.bartlett_window(10))
[0.  0.2 0.4 0.6 0.8 1.  0.8 0.6 0.4 0.2]""",
    "kaiser_window": r"""

>>> from ember_ml import ops
>>> print(ops.kaiser_window(8, beta=-3.0).round(3))
[0.205 0.462 0.727 0.926 1.    0.926 0.727 0.462]""",
    "overlap_add": r"""

>>> from ember_ml import ops
>>> print(ops.overlap_add([[0.2, -0.2, 0.4], [0.8, -0.6, 0.0]], 1).round(3))
[ 0.2  0.6 -0.2  0. ]""",
    "stft": r"""

>>> from ember_ml import ops
>>> print(ops.stft([-1.2, -1.4, -0.8, 1.0]).round(3))
[-2.4+0.j  -0.4+2.4j -1.6+0.j ]""",
    "istft": r"""

>>> from ember_ml import ops
>>> print(ops.istft([[-0.1+1.5j, 1.7+1.3j, 2.3-0.4j], [-0.8+0.9j, 0.1+0.4j, 2.6+0.3j]]))
[0.35 0.8 ]""",
    "spectrogram": r"""

>>> from ember_ml import ops
>>> print(ops.spectrogram([[0.8, -0.6], [-0.9, 1.6]], n_fft=1).round(3))
[[[0.64 0.36]]
<BLANKLINE>
 [[0.81 2.56]]]""",
    "mel_filter_bank": r"""

>>> from ember_ml import ops
>>> print(ops.mel_filter_bank(4, 4, 16000.0).round(3))
[[0. 0. 0.]
 [0. 0. 0.]
 [0. 0. 0.]
 [0. 0. 0.]]""",
    "convolve": r"""

>>> from ember_ml import ops
>>> print(ops.convolve([-2, 3, -1, 1], [0.0, 0.9, -0.4]).round(3))
[ 0.  -1.8  3.5 -2.1  1.3 -0.4]""",
    "correlate": r"""

>>> from ember_ml import ops
>>> print(ops.correlate([0.1, -1.8, 0.4, 0.5], [-0.8, 0.1, 1.7, -0.2], mode='full').round(3))
[-0.02  0.53 -3.13  0.32  2.33 -0.27 -0.4 ]""",
    "relu": r"""

>>> from ember_ml import ops
>>> print(ops.relu([2.4, -7.8, -3.5, 7.1, 6.2]))
[2.4 0.  0.  7.1 6.2]""",
    "relu6": r"""

>>> from ember_ml import ops
>>> print(ops.relu6([6.7, -0.6, -1.8, -7.2]))
[6. 0. 0. 0.]""",
    "hard_sigmoid": r"""

>>> from ember_ml import ops
>>> print(ops.hard_sigmoid([-2.8, -0.1, 5.4, 4.1]))
[0.   0.48 1.   1.  ]""",
    "softmax": r"""

>>> from ember_ml import ops
>>> print(ops.softmax([-2.2, -4.7, -3.8, 1.1]).round(3))
[0.035 0.003 0.007 0.955]""",
    "log_softmax": r"""

>>> from ember_ml import ops
>>> print(ops.log_softmax([[-5, -3], [2, -2]]).round(3))
[[-2.127 -0.127]
 [-0.018 -4.018]]""",
    "softplus": r"""

>>> from ember_ml import ops
>>> print(ops.softplus([6.6, -0.6, 1.0, 2.8, 5.3]).round(3))
[6.601 0.437 1.313 2.859 5.305]""",
    "softsign": r"""

>>> from ember_ml import ops
>>> print(ops.softsign([7.6, 4.4, 6.1, 3.6]).round(3))
[0.884 0.815 0.859 0.783]""",
    "gelu": r"""

>>> from ember_ml import ops
>>> print(ops.gelu([1.6, -0.8, 0.6, -1.3, -1.4]).round(3))
[ 1.512 -0.169  0.435 -0.126 -0.113]""",
    "silu": r"""

>>> from ember_ml import ops
>>> print(ops.silu([4.6, 4.9, -4.8, -4.9]).round(3))
[ 4.554  4.864 -0.039 -0.036]""",
    "elu": r"""

>>> from ember_ml import ops
>>> print(ops.elu([6.6, -1.0, -1.9, 0.5, -0.7]).round(3))
[ 6.6   -0.632 -0.85   0.5   -0.503]""",
    "selu": r"""

>>> from ember_ml import ops
>>> print(ops.selu([-3.3, -2.2, -1.0, 0.0]).round(3))
[-1.693 -1.563 -1.111  0.   ]""",
    "celu": r"""

>>> from ember_ml import ops
>>> print(ops.celu([1.4, -2.7, -5.5, 2.0]).round(3))
[ 1.4   -0.933 -0.996  2.   ]""",
    "leaky_relu": r"""

>>> from ember_ml import ops
>>> print(ops.leaky_relu([-5.0, -7.2, 2.6, 2.4, -3.6]))
[-0.05  -0.072  2.6    2.4   -0.036]""",
    "prelu": r"""

>>> from ember_ml import ops
>>> print(ops.prelu([[-0.8, 0.3, 0.9], [-1.3, -0.9, -1.1]], 0.25))
[[-0.2    0.3    0.9  ]
 [-0.325 -0.225 -0.275]]""",
    "mish": r"""

>>> from ember_ml import ops
>>> print(ops.mish([6.9, -3.7, 7.3, -4.7, -2.4]).round(3))
[ 6.9   -0.09   7.3   -0.043 -0.208]""",
    "hardswish": r"""

>>> from ember_ml import ops
>>> print(ops.hardswish([-2.2, -1.6, 5.5, -1.7]).round(3))
[-0.293 -0.373  5.5   -0.368]""",
    "hardtanh": r"""

>>> from ember_ml import ops
>>> print(ops.hardtanh([7.3, 1.4, -0.2, 7.9, -6.4]))
[ 1.   1.  -0.2  1.  -1. ]""",
    "threshold": r"""

>>> from ember_ml import ops
>>> print(ops.threshold([0.0, 0.5, 3.0, -7.5], 0.5))
[0. 0. 3. 0.]""",
    "linear": r"""

>>> from ember_ml import ops
>>> print(ops.linear([[-0.8, -0.6, 1.0], [0.2, 0.1, -0.2]], [[-0.3, 0.8, -1.0], [1.5, 0.4, -1.7]]))
[[-1.24 -3.14]
 [ 0.22  0.68]]""",
    "glu": r"""

>>> from ember_ml import ops
>>> print(ops.glu([[-1, -5, -2, 0]]).round(3))
[[-0.119 -2.5  ]]""",
    "tanhshrink": r"""

>>> from ember_ml import ops
>>> print(ops.tanhshrink([5.9, -3.5, -3.9, -1.8]).round(3))
[ 4.9   -2.502 -2.901 -0.853]""",
    "hardshrink": r"""

>>> from ember_ml import ops
>>> print(ops.hardshrink([0.6, 0.7, 0.5, -0.8]))
[ 0.6  0.7  0.  -0.8]""",
    "softshrink": r"""

>>> from ember_ml import ops
>>> print(ops.softshrink([-5.8, -3.0, 2.2, -1.6]))
[-5.3 -2.5  1.7 -1.1]""",
    "logsigmoid": r"""

>>> from ember_ml import ops
>>> print(ops.logsigmoid([0.0, 0.5, 3.0, -7.5]).round(3))
[-0.693 -0.474 -0.049 -7.501]""",
    "conv1d": r"""

>>> from ember_ml import ops
>>> print(ops.conv1d([[[0.2, -0.1, 0.7, -0.3, 0.6]]], [[[0.9, -0.1, -0.6, 0.1]]]).round(3))
[[[-0.26  0.08]]]""",
    "conv_transpose1d": r"""

>>> from ember_ml import ops
>>> print(ops.conv_transpose1d([[[1.3, -1.0], [0.0, 0.2]]], [[[-0.3]], [[-0.2]]], strides=2).round(3))
[[[-0.39  0.    0.26]]]""",
    "conv2d": r"""

>>> from ember_ml import ops
>>> print(ops.conv2d([[[[-0.6], [-0.7], [1.1], [0.3]]]], [[[[0.2], [-1.1], [1.7]]]]))
[[[[ 2.52]
   [-0.84]]]]""",
    "conv_transpose2d": r"""

>>> from ember_ml import ops
>>> print(ops.conv_transpose2d([[[[-0.3, -1.5]]]], [[[[-0.9], [1.5]], [[0.5], [-0.1]]]], strides=2).round(3))
[[[[ 0.27  0.    1.35]
   [-0.45  0.   -2.25]]
<BLANKLINE>
  [[-0.15  0.   -0.75]
   [ 0.03  0.    0.15]]]]""",
    "conv3d": r"""

>>> from ember_ml import ops
>>> x = [[[[[0.2], [1.1], [-2.3]]]]]
>>> weight = [[[[[-1.0]]]], [[[[0.1]]]], [[[[0.7]]]], [[[[-0.1]]]]]
>>> bias = [0.1, 0.4, 0.6, -1.2]
>>> print(ops.conv3d(x, weight, bias).round(3))
[[[[[-0.1 ]
    [-1.  ]
    [ 2.4 ]]]
<BLANKLINE>
<BLANKLINE>
  [[[ 0.42]
    [ 0.51]
    [ 0.17]]]
<BLANKLINE>
<BLANKLINE>
  [[[ 0.74]
    [ 1.37]
    [-1.01]]]
<BLANKLINE>
<BLANKLINE>
  [[[-1.22]
    [-1.31]
    [-0.97]]]]]""",
    "conv_transpose3d": r"""

>>> from ember_ml import ops
>>> print(ops.conv_transpose3d([[[[[0, 1], [-1, -2]]]]], [[[[[2]], [[-4]]], [[[3]], [[5]]]]]))
[[[[[  0   2]
    [ -2  -4]]
<BLANKLINE>
   [[  0  -4]
    [  4   8]]]
<BLANKLINE>
<BLANKLINE>
  [[[  0   3]
    [ -3  -6]]
<BLANKLINE>
   [[  0   5]
    [ -5 -10]]]]]""",
    "max_pool1d": r"""

>>> from ember_ml import ops
>>> print(ops.max_pool1d([[[2, 4, -5, -3]]], padding=1))
[[[ 2  4 -3]]]""",
    "average_pool1d": r"""

>>> from ember_ml import ops
>>> print(ops.average_pool1d([[[-1, -5, -3, 1, -2]]], padding=1))
[[[-1.  -4.  -0.5]]]""",
    "l2_pool1d": r"""

>>> from ember_ml import ops
>>> print(ops.l2_pool1d([[[1, -5, -3, -4, 3]]], padding=1).round(3))
[[[1.    5.831 5.   ]]]""",
    "max_pool2d": r"""

>>> from ember_ml import ops
>>> print(ops.max_pool2d([[[[5, -1, 0, 3]]]], padding=1))
[[[[5 0 3]]]]""",
    "average_pool2d": r"""

>>> from ember_ml import ops
>>> print(ops.average_pool2d([[[[-0.5, -1.0, -0.6], [0.8, 0.3, 0.2]]]], ceil_mode=True).round(3))
[[[[-0.1 -0.2]]]]""",
    "l2_pool2d": r"""

>>> from ember_ml import ops
>>> print(ops.l2_pool2d([[[[0, 4, 5], [1, 3, -4]]]], padding=1).round(3))
[[[[0.    6.403]
   [1.    5.   ]]]]""",
    "max_pool3d": r"""

>>> from ember_ml import ops
>>> print(ops.max_pool3d([[[[[0, 3, -5, 5]]]]], padding=1))
[[[[[0 3 5]]]]]""",
    "average_pool3d": r"""

>>> from ember_ml import ops
>>> print(ops.average_pool3d([[[[[-4, 2, -3, 0, -2]]]]], padding=1))
[[[[[-4.  -0.5 -1. ]]]]]""",
    "l2_pool3d": r"""

>>> from ember_ml import ops
>>> print(ops.l2_pool3d([[[[[3, -2, -1, 1]]]]], padding=1).round(3))
[[[[[3.    2.236 1.   ]]]]]""",
    "adaptive_average_pool": r"""

>>> from ember_ml import ops
>>> print(ops.adaptive_average_pool([[-3, -2], [-1, 2]], [3]))
[[-3.  -2.5 -2. ]
 [-1.   0.5  2. ]]""",
    "adaptive_max_pool": r"""

>>> from ember_ml import ops
>>> print(ops.adaptive_max_pool([[[0.0, -0.5], [1.6, -0.7]]], [3]))
[[[ 0.   0.  -0.5]
  [ 1.6  1.6 -0.7]]]""",
    "global_average_pool": r"""

>>> from ember_ml import ops
>>> print(ops.global_average_pool([[[0.4, -0.6, -1.4], [1.9, -0.4, -2.0]]], layout='nhwc'))
[[[ 1.15 -0.5  -1.7 ]]]""",
    "global_max_pool": r"""

>>> from ember_ml import ops
>>> print(ops.global_max_pool([[[0.4, -0.1], [0.9, 2.1]]], layout='nhwc'))
[[[0.9 2.1]]]""",
    "pixel_shuffle": r"""

>>> from ember_ml import ops
>>> print(ops.pixel_shuffle([[[[-0.3]], [[0.5]], [[-2.0]], [[-0.7]]]], 2))
[[[[-0.3  0.5]
   [-2.  -0.7]]]]""",
    "pixel_unshuffle": r"""

>>> from ember_ml import ops
>>> print(ops.pixel_unshuffle([[[[-1.3, 0.6], [1.3, 2.3]]]], 2))
[[[[-1.3]]
<BLANKLINE>
  [[ 0.6]]
<BLANKLINE>
  [[ 1.3]]
<BLANKLINE>
  [[ 2.3]]]]""",
    "resample": r"""

>>> from ember_ml import ops
>>> print(ops.resample([[[[-0.2, 0.6, 1.9, 0.9, -1.6]]]], scales=[1.5]))
[[[[-0.2  0.6  0.6  1.9  0.9  0.9 -1.6]]]]""",
    "grid_sample": r"""

>>> from ember_ml import ops
>>> print(ops.grid_sample([[[[-0.7, -1.3]]], [[[-0.1, -0.5]]]], [[[[-1.0, 0.2]]], [[[1.3, -1.2]]]]).round(3))
[[[[-0.315]]]
<BLANKLINE>
<BLANKLINE>
 [[[-0.04 ]]]]""",
    "batch_norm": r"""

>>> from ember_ml import ops
>>> x = [0.7, 1.3, -1.4, 0.2]
>>> mean = [-0.6, 0.2, 1.0, -0.5]
>>> variance = [1.8, 1.5, 1.4, 1.7]
>>> print(ops.batch_norm(x, mean, variance, axis=0).round(3))
[ 0.969  0.898 -2.028  0.537]""",
    "layer_norm": r"""

>>> from ember_ml import ops
>>> print(ops.layer_norm([[5, -1], [-2, -4]]).round(3))
[[ 1. -1.]
 [ 1. -1.]]""",
    "layer_norm_grad": r"""

>>> from ember_ml import ops
>>> x_grad, scale_grad, bias_grad = ops.layer_norm_grad([[1.9, 0.5], [0.3, -0.4]], [[10.8, 10.4], [10.9, 10.7]], [1.5, 0.5])
>>> print(x_grad.round(3))
[[ 0.002 -0.002]
 [ 0.003 -0.003]]
>>> print(scale_grad.round(3))
[[ 2.2 -0.1]]
>>> print(bias_grad.round(3))
[[2.2 0.1]]""",
    "rms_norm": r"""

>>> from ember_ml import ops
>>> print(ops.rms_norm([1.6, 0.2, -0.6, 0.1], [0.6, -0.6, 0.3, 0.0]).round(3))
[ 1.114 -0.139 -0.209  0.   ]""",
    "group_norm": r"""

>>> from ember_ml import ops
>>> print(ops.group_norm([[[[-1.5, 0.0]], [[0.4, 0.6]], [[1.7, -0.2]]]], 3).round(3))
[[[[-1.  1.]]
<BLANKLINE>
  [[-1.  1.]]
<BLANKLINE>
  [[ 1. -1.]]]]""",
    "instance_norm": r"""

>>> from ember_ml import ops
>>> print(ops.instance_norm([[[0.8], [-0.6], [-0.2], [-0.8]]], None, [-0.3, 1.2, 0.2, -0.4]))
[[[-0.3]
  [ 1.2]
  [ 0.2]
  [-0.4]]]""",
    "dropout": r"""

>>> from ember_ml import ops
>>> ops.seed(7)
True
>>> print(ops.dropout([[1.1, 1.5], [1.2, 1.0]], 0.25).round(3))
[[1.467 2.   ]
 [0.    0.   ]]""",
    "scaled_dot_product_attention": r"""

>>> from ember_ml import ops
>>> query = [[2.1, -0.4, -1.2], [-1.3, 0.3, -1.6]]
>>> key = [[-2.0, -0.4, -0.9], [-1.5, 1.3, 0.0]]
>>> value = [[-0.2, 0.3], [0.0, -0.1]]
>>> print(ops.scaled_dot_product_attention(query, key, value).round(3))
[[-0.12   0.14 ]
 [-0.143  0.185]]""",
    "attention_grad": r"""

>>> from ember_ml import ops
>>> y = [[[[-1.8], [0.1]]], [[[2.2], [-0.6]]]]
>>> g = [[[[-0.5], [-1.4]]], [[[-0.8], [0.9]]]]
>>> query = [[[[0.7], [0.2]]], [[[-0.8], [-0.6]]]]
>>> key = [[[[0.2], [-0.2]]], [[[-1.9], [-0.6]]]]
>>> value = [[[[0.0], [-0.2]]], [[[-0.5], [1.0]]]]
>>> query_grad, key_grad, value_grad = ops.attention_grad(y, g, query, key, value)
>>> print(query_grad.round(3))
[[[[-0.034]
   [-0.026]]]
<BLANKLINE>
<BLANKLINE>
 [[[-3.183]
   [-0.389]]]]
>>> print(key_grad.round(3))
[[[[-0.344]
   [-0.201]]]
<BLANKLINE>
<BLANKLINE>
 [[[-1.314]
   [-0.472]]]]
>>> print(value_grad.round(3))
[[[[-1.013]
   [-0.887]]]
<BLANKLINE>
<BLANKLINE>
 [[[ 0.026]
   [ 0.074]]]]""",
    "rope": r"""

>>> from ember_ml import ops
>>> print(ops.rope([[[1.5, -0.2], [-0.5, 0.7]]]).round(3))
[[[ 1.5   -0.2  ]
  [-0.859 -0.043]]]""",
    "lstm": r"""

>>> from ember_ml import ops
>>> x = [[[1.0], [-2.0], [1.4]]]
>>> weight = [[[1.0], [-1.3], [-1.8], [0.4]]]
>>> recurrent_weight = [[[-0.6], [-0.7], [0.3], [-0.9]]]
>>> print(*[r.round(3) for r in ops.lstm(x, weight, recurrent_weight)], sep='\n')
[[[ 0.058]
  [-0.074]
  [ 0.054]]]
[[[ 0.278]
  [-0.079]
  [ 0.407]]]
[[[[ 0.058]
   [-0.074]
   [ 0.054]]]]""",
    "lstm_cell": r"""

>>> from ember_ml import ops
>>> x = [[-1.6], [-0.4], [-2.0]]
>>> weight = [[-0.2], [-0.2], [0.0], [0.0]]
>>> recurrent_weight = [[-1.1], [0.2], [0.5], [-0.7]]
>>> hidden = [[0.7], [0.8], [-0.3]]
>>> cell = [[-1.6], [-0.9], [-0.5]]
>>> print(*[r.round(3) for r in ops.lstm_cell(x, weight, recurrent_weight, hidden, cell)], sep='\n')
[[-0.494]
 [-0.337]
 [-0.053]]
[[-1.115]
 [-0.696]
 [-0.092]]""",
    "gru": r"""

>>> from ember_ml import ops
>>> x = [[[-0.8, 1.7], [-1.2, -0.9]]]
>>> weight = [[[0.2, 1.3], [1.4, 0.2], [0.5, 2.1]]]
>>> recurrent_weight = [[[-2.6], [-0.5], [-0.6]]]
>>> print(*[r.round(3) for r in ops.gru(x, weight, recurrent_weight)], sep='\n')
[[[ 0.114]
  [-0.793]]]
[[[[ 0.114]
   [-0.793]]]]""",
    "gru_cell": r"""

>>> from ember_ml import ops
>>> x = [[-0.2, 0.0], [-0.7, -0.5]]
>>> weight = [[-0.7, -0.8], [0.5, -0.9], [0.3, -0.3]]
>>> recurrent_weight = [[-0.4], [0.9], [-1.4]]
>>> hidden = [[-0.5], [-0.4]]
>>> print(ops.gru_cell(x, weight, recurrent_weight, hidden).round(3))
[[-0.212]
 [-0.249]]""",
    "rnn": r"""

>>> from ember_ml import ops
>>> x = [[[-0.4, 1.2], [0.2, 0.4]]]
>>> weight = [[[1.2, 1.4], [2.0, 0.0]]]
>>> recurrent_weight = [[[-0.4, 0.3], [-0.7, 2.1]]]
>>> print(*[r.round(3) for r in ops.rnn(x, weight, recurrent_weight)], sep='\n')
[[[ 0.834 -0.664]
  [ 0.664  0.38 ]]]
[[[[ 0.834 -0.664]
   [ 0.664  0.38 ]]]]""",
    "rnn_cell": r"""

>>> from ember_ml import ops
>>> x = [[-0.1, -0.7], [0.7, 0.6]]
>>> weight = [[1.2, -1.7], [0.4, -0.3]]
>>> recurrent_weight = [[0.5, -1.6], [-0.4, 0.9]]
>>> hidden = [[1.4, 0.0], [-1.5, -1.1]]
>>> print(ops.rnn_cell(x, weight, recurrent_weight, hidden).round(3))
[[ 0.944 -0.371]
 [ 0.68  -0.282]]""",
    "quantize_linear": r"""

>>> from ember_ml import ops
>>> x = [[-7.5, -6.2], [-3.0, -1.8]]
>>> scale = [[0.5, 1.0], [2.0, 0.5]]
>>> zero_point = ops.asarray([[-8, 3], [-2, 6]], dtype='int8')
>>> print(ops.quantize_linear(x, scale, zero_point))
[[-23  -3]
 [ -4   2]]""",
    "dequantize_linear": r"""

>>> from ember_ml import ops
>>> x = ops.asarray([[-1, -49], [-46, -93]], dtype='int8')
>>> scale = [[0.5, 1.0], [2.0, 0.5]]
>>> zero_point = ops.asarray([[-7, 3], [-5, 6]], dtype='int8')
>>> print(ops.dequantize_linear(x, scale, zero_point))
[[  3.  -52. ]
 [-82.  -49.5]]""",
    "mse_loss": r"""

>>> from ember_ml import ops
>>> print(ops.mse_loss([-1, 2, -2, 3], [-1, 4, -4, -5]))
18.0""",
    "mae_loss": r"""

>>> from ember_ml import ops
>>> print(ops.mae_loss([5, -2, 3, 4], [0, -1, -2, 4]))
2.75""",
    "huber_loss": r"""

>>> from ember_ml import ops
>>> print(ops.huber_loss([-3, 2, -2, 1], [2, 5, -4, 3]))
2.5""",
    "log_cosh_loss": r"""

>>> from ember_ml import ops
>>> print(ops.log_cosh_loss([-4, 2, -3, 1], [-2, 1, -3, -1]).round(3))
0.771""",
    "binary_cross_entropy": r"""

>>> from ember_ml import ops
>>> print(ops.binary_cross_entropy([[0.1, 0.2], [0.4, 0.4]], [[0.1, 0.4], [0.9, 0.6]]).round(3))
0.683""",
    "categorical_cross_entropy": r"""

>>> from ember_ml import ops
>>> print(ops.categorical_cross_entropy([[0.0, 1.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]).round(3))
16.118""",
    "sparse_categorical_cross_entropy": r"""

>>> from ember_ml import ops
>>> print(ops.sparse_categorical_cross_entropy([[0.1, 0.6], [0.9, 0.5], [0.3, 0.8]], [1, 0, 1]).round(3))
0.28""",
    "binary_crossentropy": r"""

>>> from ember_ml import ops
>>> y_true = [[0.6, 0.4], [0.5, 0.8], [0.7, 0.3]]
>>> y_pred = [[0.3, 0.0], [-1.2, 2.3], [-0.8, 0.6]]
>>> print(ops.binary_crossentropy(y_true, y_pred, from_logits=True).round(3))
0.762""",
    "categorical_crossentropy": r"""

>>> from ember_ml import ops
>>> y_true = [[0.5, 0.1], [0.3, 0.7], [0.5, 0.2]]
>>> y_pred = [[-1.3, -1.5], [-0.1, 0.7], [1.1, -0.9]]
>>> print(ops.categorical_crossentropy(y_true, y_pred, from_logits=True).round(3))
0.493""",
    "sparse_categorical_crossentropy": r"""

>>> from ember_ml import ops
>>> print(ops.sparse_categorical_crossentropy([0, 1], [[1.6, -1.0], [-1.1, 1.3]], from_logits=True).round(3))
0.079""",
    "nll_loss": r"""

>>> from ember_ml import ops
>>> print(ops.nll_loss([-0.4, 0.1, -0.3, -0.1], 2))
0.3""",
    "kl_div_loss": r"""

>>> from ember_ml import ops
>>> print(ops.kl_div_loss([[-0.8, -0.2], [-0.7, -0.1]], [[0.3, 0.7], [0.5, 0.2]]).round(3))
-0.132""",
    "ctc_loss": r"""

>>> from ember_ml import ops
>>> log_probabilities = [[[-3.6, -2.0, -3.4, -2.4], [-3.9, -1.7, -2.8, -1.6], [-0.6, -2.4, -2.7, -3.5], [-3.5, -1.2, -1.5, -2.0], [-0.7, -2.0, -0.8, -2.3], [-3.9, -4.0, -3.0, -1.9]], [[-2.9, -1.2, -2.8, -2.4], [-2.3, -1.1, -3.0, -1.7], [-2.9, -2.0, -0.5, -2.4], [-3.0, -2.5, -0.8, -2.0], [-3.2, -2.4, -1.6, -0.7], [-3.5, -3.3, -1.8, -1.7]], [[-0.9, -1.2, -3.8, -1.7], [-2.0, -3.3, -1.9, -3.4], [-2.7, -2.8, -2.3, -3.5], [-2.9, -0.6, -1.9, -2.4], [-3.2, -3.2, -2.8, -1.6], [-2.2, -3.4, -1.6, -0.6]], [[-1.7, -2.8, -3.8, -1.3], [-3.6, -3.1, -2.3, -2.0], [-2.3, -2.3, -1.3, -3.4], [-1.1, -3.4, -2.7, -0.7], [-3.6, -1.6, -0.5, -2.9], [-1.7, -2.1, -2.7, -2.3]], [[-1.7, -1.2, -3.6, -1.0], [-1.5, -1.2, -2.1, -1.6], [-0.6, -0.8, -3.2, -0.5], [-3.1, -3.1, -1.5, -2.3], [-2.9, -1.5, -3.3, -3.1], [-3.4, -2.5, -1.8, -3.4]]]
>>> targets = [[1, 1, 2], [1, 2, 3], [3, 2, 1], [1, 3, 2], [2, 2, -7], [1, 1, 1]]
>>> input_lengths = [5, 4, 3, 5, 5, 0]
>>> target_lengths = [3, 2, 1, 0, 2, 0]
>>> print(ops.ctc_loss(log_probabilities, targets, input_lengths, target_lengths).round(3))
4.753""",
    "contrastive_loss": r"""

>>> from ember_ml import ops
>>> a = [[0.6, -2.3], [2.2, -1.1], [-0.7, 0.0]]
>>> b = [[0.9, 1.1], [-0.2, -0.8], [0.3, -0.1]]
>>> print(ops.contrastive_loss(a, b, [1, -1, 1]).round(3))
4.22""",
    "cosine_embedding_loss": r"""

>>> from ember_ml import ops
>>> a = [[-0.5, 0.3], [-0.6, -0.1], [1.1, -1.5]]
>>> b = [[-0.1, -0.6], [1.3, -0.3], [0.2, 0.0]]
>>> print(ops.cosine_embedding_loss(a, b, [1, -1, 1]).round(3))
0.592""",
    "cosine_similarity": r"""

>>> from ember_ml import ops
>>> print(ops.cosine_similarity([1.3, 1.5, 0.2, 0.9], [-0.2, 0.6, -0.6, -1.1]).round(3))
-0.153""",
    "euclidean_distance": r"""

>>> from ember_ml import ops
>>> print(ops.euclidean_distance([-1.3, -1.5, -0.3, 0.4], [0.3, -1.1, 0.0, 0.1]).round(3))
1.703""",
    "pairwise_distance": r"""

>>> from ember_ml import ops
>>> print(ops.pairwise_distance([[-1.3, -0.7], [0.6, -0.8]], [[1.4, 0.8], [-1.5, -0.5]]).round(3))
[[3.089 0.283]
 [1.789 2.121]]""",
    "normalize_vector": r"""

>>> from ember_ml import ops
>>> print(ops.normalize_vector([-0.6, -0.8, 0.5, -2.0]).round(3))
[-0.262 -0.349  0.218 -0.873]""",
    "seed": r"""

>>> from ember_ml import ops
>>> ops.seed(7)
True""",
    "get_seed": r"""

>>> from ember_ml import ops
>>> ops.seed(7)
True
>>> ops.get_seed()
7""",
    "random_bits": r"""

>>> from ember_ml import ops
>>> print(ops.random_bits([2, 3], seed=7))
[[4099963437 3221879260  490388034]
 [ 367897730 1747881627 3415718931]]""",
    "random_uniform": r"""

>>> from ember_ml import ops
>>> print(ops.random_uniform([2, 3], seed=7).round(3))
[[0.955 0.75  0.114]
 [0.086 0.407 0.795]]""",
    "random_normal": r"""

>>> from ember_ml import ops
>>> print(ops.random_normal([2, 3], seed=7).round(3))
[[-2.074  0.468  0.232]
 [ 1.372 -1.599  0.434]]""",
    "truncated_normal": r"""

>>> from ember_ml import ops
>>> print(ops.truncated_normal([2, 3], seed=7).round(3))
[[ 1.506  0.64  -1.118]
 [-1.256 -0.224  0.778]]""",
    "random_bernoulli": r"""

>>> from ember_ml import ops
>>> print(ops.random_bernoulli([2, 3], seed=7))
[[False False  True]
 [ True  True False]]""",
    "random_binomial": r"""

>>> from ember_ml import ops
>>> print(ops.random_binomial([2, 3], 0.5, 5, seed=7))
[[3 3 3]
 [2 2 5]]""",
    "random_categorical": r"""

>>> from ember_ml import ops
>>> print(ops.random_categorical([[[-1.3, 0.5, -0.9], [-0.1, 0.4, 0.2]]], seed=7))
[[[2]
  [0]]]""",
    "random_multinomial": r"""

>>> from ember_ml import ops
>>> print(ops.random_multinomial([0.1, 0.0, 0.2], 4, seed=7))
[2 0 2 0]""",
    "random_gamma": r"""

>>> from ember_ml import ops
>>> print(ops.random_gamma([2, 3], 0.5, seed=7).round(3))
[[0.091 0.967 0.964]
 [0.037 0.31  1.949]]""",
    "random_beta": r"""

>>> from ember_ml import ops
>>> print(ops.random_beta([2, 3], 1, 2, seed=7).round(3))
[[0.518 0.744 0.329]
 [0.134 0.115 0.603]]""",
    "random_exponential": r"""

>>> from ember_ml import ops
>>> print(ops.random_exponential([2, 3], seed=7).round(3))
[[3.092 1.387 0.121]
 [0.09  0.522 1.586]]""",
    "random_poisson": r"""

>>> from ember_ml import ops
>>> print(ops.random_poisson([2, 3], 2.5, seed=7))
[[0 3 2]
 [2 1 3]]""",
    "random_laplace": r"""

>>> from ember_ml import ops
>>> print(ops.random_laplace([2, 3], seed=7).round(3))
[[ 3.092  1.387 -0.121]
 [-0.09   0.522  1.586]]""",
    "random_gumbel": r"""

>>> from ember_ml import ops
>>> print(ops.random_gumbel([2, 3], seed=7).round(3))
[[-1.129 -0.327  2.11 ]
 [ 2.413  0.649 -0.461]]""",
    "random_integers": r"""

>>> from ember_ml import ops
>>> print(ops.random_integers([2, 3], -9, -4, seed=7))
[[-7 -5 -6]
 [-7 -5 -6]]""",
    "random_permutation": r"""

>>> from ember_ml import ops
>>> print(ops.random_permutation([0.0, 250.0, 500.0, 749.0, 999.0], seed=7))
[999. 250. 749. 500.   0.]""",
    "shuffle": r"""

>>> from ember_ml import ops
>>> print(ops.shuffle([0.0, 250.0, 500.0, 749.0, 999.0], seed=7))
[999. 250. 749. 500.   0.]""",
    "choice": r"""

>>> from ember_ml import ops
>>> print(ops.choice([2.0, 3.0, 5.0, 7.0, 11.0], [4], seed=7))
[ 5. 11.  7.  5.]""",
    "compute_energy_stability": r"""

>>> from ember_ml import ops
>>> print(ops.compute_energy_stability([1.5, -0.8, -0.1, 0.2]))
1.0""",
    "compute_interference_strength": r"""

>>> from ember_ml import ops
>>> print(ops.compute_interference_strength([1.5, -1.1, -0.3, -1.8, -0.4], [-1.0, 1.2, -0.3, 1.3]).round(3))
-0.034""",
    "compute_phase_coherence": r"""

>>> from ember_ml import ops
>>> print(ops.compute_phase_coherence([2.0, -0.2, -0.6, -1.4], [-1.4, -0.8, 0.1, -1.1]).round(3))
0.096""",
    "partial_interference": r"""

>>> from ember_ml import ops
>>> input_wave1 = [-0.2, -1.3, -0.8, -0.5, 1.4]
>>> input_wave2 = [-0.5, -1.3, -1.4, -1.1, -1.9]
>>> print(ops.partial_interference(input_wave1, input_wave2, window_size=4).round(3))
[ 0.704 -0.307]""",
    "exponential_decay": r"""

>>> from ember_ml import ops
>>> print(ops.exponential_decay([-1.3, 0.9, -0.8, 0.5], [0.7, 0.2, 0.8, 0.0], [0.4, 1.8, 1.9, 0.6]).round(3))
[-0.983  0.628 -0.175  0.5  ]""",
    "binary_wave_interference": r"""

>>> from ember_ml import ops
>>> print(ops.binary_wave_interference([[True, False, False, True, True]]))
[ True False False  True  True]""",
    "binary_wave_propagate": r"""

>>> from ember_ml import ops
>>> print(ops.binary_wave_propagate([3, 5, 1, 2], [0, -2, 1, 3]))
[ 3  1  2 16]""",
    "create_duty_cycle": r"""

>>> from ember_ml import ops
>>> print(ops.create_duty_cycle(10, 0.25))
[1 1 0 0 0 0 0 0 0 0]""",
    "generate_blocky_sin": r"""

>>> from ember_ml import ops
>>> print(ops.generate_blocky_sin(10, 2))
[1 1 0 0 1 1 0 0 1 1]""",
    "binary_split": r"""

>>> from ember_ml import ops
>>> P, Q = ops.binary_split(0, 1)
>>> print(P)
1.0
>>> print(Q)
1.0""",
    "shape": r"""

>>> from ember_ml import ops
>>> ops.shape([[[-0.5, -1.3], [0.2, -0.2]]])
(1, 2, 2)""",
    "ndim": r"""

>>> from ember_ml import ops
>>> ops.ndim([-0.1, -0.7, 2.2])
1""",
    "size": r"""

>>> from ember_ml import ops
>>> ops.size([0.0, -1.3, 1.1])
3""",
    "dtype": r"""

>>> from ember_ml import ops
>>> ops.dtype([-0.4, -1.0, -1.8])
ember_ml.float32""",
    "device": r"""

>>> from ember_ml import ops
>>> ops.device([0.2, 1.0, -2.5])
'cpu'""",
    "backend": r"""

>>> from ember_ml import ops
>>> ops.backend([1.2, -0.1])
'native'""",
    "strides": r"""

>>> from ember_ml import ops
>>> ops.strides([[[-0.1, -0.4, 0.7, 1.1]]])
(4, 4, 1)""",
    "nbytes": r"""

>>> from ember_ml import ops
>>> ops.nbytes([-0.4, 1.2, -0.1])
12""",
    "item": r"""

>>> from ember_ml import ops
>>> ops.item([[[0.0]]])
0.0""",
    "tolist": r"""

>>> from ember_ml import ops
>>> ops.tolist([1, -5, 2])
(1, -5, 2)""",
    "finfo": r"""

>>> from ember_ml import ops
>>> ops.finfo('float16').max
65504.0""",
    "iinfo": r"""

>>> from ember_ml import ops
>>> ops.iinfo('int8').max
127""",
    "can_cast": r"""

>>> from ember_ml import ops
>>> ops.can_cast('bool', 'bool')
True""",
    "result_type": r"""

>>> from ember_ml import ops
>>> ops.result_type(ops.asarray([2, 0], dtype='int8'), ops.asarray([4, 0], dtype='uint8'))
ember_ml.int16""",
    "isdtype": r"""

>>> from ember_ml import ops
>>> ops.isdtype('bool', 'bool')
True""",
}
