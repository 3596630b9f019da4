"""The ops by what they take and give. Written by tools/generate/op_kinds.py: run `make generate`."""

# Their first argument need not be a tensor.
MADE = frozenset(
    """
arange array asarray astype bartlett_window binary_split binary_wave_interference blackman_window
broadcast_arrays broadcast_shapes can_cast cast cat choice clone concat concatenate
convert_to_tensor copy create_duty_cycle diag dstack einsum empty empty_like eye fftfreq finfo full
full_like generate_blocky_sin get_seed hamming_window hann hann_window hstack iinfo isdtype
kaiser_window linspace logspace manual_seed mel_filter_bank meshgrid multi_dot multinomial one_hot
ones ones_like orthogonal random_bernoulli random_beta random_binomial random_bits
random_categorical random_choice random_exponential random_gamma random_gumbel random_integers
random_laplace random_multinomial random_normal random_permutation random_poisson random_shuffle
random_uniform result_type rfftfreq row_stack seed set_seed shuffle stack tri tril tril_indices triu
triu_indices truncated_normal vander vstack zeros zeros_like
""".split()
)

# Every tensor argument is an operand.
ELEMENTWISE = frozenset(
    """
abs absolute acos acosh add allclose angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh
around array_equal asin asinh atan atan2 atanh bitwise_and bitwise_count bitwise_invert
bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor cbrt ceil celu clamp clip
conj conjugate copysign cos cosh count_ones count_zeros deg2rad degrees digamma div divide elu eq
equal erf erfc erfinv exp exp2 expit expm1 fabs fix floor floor_div floor_divide floordiv fmod
gammaln ge gelu get_bit greater greater_equal gt hard_sigmoid hard_swish hard_tanh hardshrink
hardswish hardtanh heaviside hypot identity imag invert isclose isfinite isinf isnan le leaky_relu
left_shift lerp less less_equal lgamma linear log log10 log1p log2 log_sigmoid logaddexp logical_and
logical_not logical_or logical_xor logsigmoid lt maximum minimum mish mod mul multiply nan_to_num ne
neg negative nextafter not_equal popcount positive pow power prelu rad2deg radians real reciprocal
relu relu6 remainder right_shift rint rotate_left rotate_right round rsqrt selu set_bit shift_left
shift_right sigmoid sign signbit silu sin sinc sinh softplus softshrink softsign sqrt square sub
subtract swish tan tanh tanhshrink threshold toggle_bit true_divide trunc where
""".split()
)

# The first argument is a tensor.
ARRAYS = frozenset(
    """
adaptive_average_pool adaptive_max_pool all amax amin any argmax argmin argsort argwhere array_split
as_strided atleast_nd attention attention_grad average average_pool1d average_pool2d average_pool3d
batch_norm binary_cross_entropy binary_crossentropy binary_wave_propagate bincount bmm broadcast_to
categorical_cross_entropy categorical_crossentropy cholesky compute_energy_stability
compute_interference_strength compute_phase_coherence cond contrastive_loss conv1d conv2d conv3d
conv_transpose1d conv_transpose2d conv_transpose3d convolve corrcoef correlate cosine_embedding_loss
cosine_similarity count_nonzero cov cross ctc_loss cummax cummin cumprod cumsum cumulative_prod
cumulative_sum dequantize_linear det diagonal diff digitize dot dropout eig eigh eigvals eigvalsh
embedding euclidean_distance expand expand_dims expm exponential_decay fft fft2 fftn fftshift
flatten flip frame gather gather_elements gather_nd gaussian gemm global_average_pool
global_max_pool glu gradient grid_sample group_norm gru gru_cell hfft histogram huber_loss ifft
ifft2 ifftn ifftshift ihfft index_add inner instance_norm interpolate inv inverse irfft irfft2
irfftn isin istft kl_div_loss kron l1_loss l2_pool1d l2_pool2d l2_pool3d layer_norm layer_norm_grad
log_cosh_loss log_softmax logcumsumexp logsumexp lookup lstm lstm_cell lstsq lu mae_loss masked_fill
masked_select matmul matrix_norm matrix_power matrix_rank matrix_transpose max max_pool1d max_pool2d
max_pool3d mean mean_absolute_error mean_squared_error median min mm moveaxis movedim mse mse_loss
mv nanargmax nanargmin nanmax nanmean nanmedian nanmin nanprod nanstd nanstdev nansum nanvar
nll_loss nonzero norm normalize_vector outer overlap_add pad pairwise_distance partial_interference
percentile permute permute_dims pinv pixel_shuffle pixel_unshuffle prod ptp put_along_axis qr
quantile quantize_linear ravel reduce_all reduce_any reduce_l1 reduce_l2 reduce_log_sum
reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_std reduce_sum
reduce_sum_square reduce_var repeat repeat_interleave resample resample2d reshape rfft rfft2 rfftn
rms_norm rnn rnn_cell roll rope rot90 scaled_dot_product_attention scatter scatter_add
scatter_elements scatter_max scatter_mean scatter_min scatter_nd scatter_softmax searchsorted
segment_sum slice slice_tensor slice_update slogdet softmax solve solve_triangular sort
sparse_categorical_cross_entropy sparse_categorical_crossentropy spectrogram split split_tensor
squeeze std stdev stft sum svd svdvals swapaxes swapdims take take_along_axis take_along_dim
tensor_scatter_nd_update tensor_sort tensor_var tensordot tile topk trace transpose unbind unique
unique_all unique_counts unique_inverse unique_values unsqueeze unstack var vecdot vector_norm view
windows
""".split()
)

# The result is not a tensor.
PLAIN = frozenset(
    """
backend broadcast_shapes can_cast device dim dtype finfo get_seed iinfo isdtype item manual_seed
nbytes ndim nelement numel result_type seed set_seed shape size strides tolist
""".split()
)

# There are several results.
SEVERAL = frozenset(
    """
array_split attention_grad binary_split broadcast_arrays eig eigh gru histogram layer_norm_grad lstm
lstm_cell lstsq lu meshgrid nonzero qr rnn slogdet split split_tensor svd topk tril_indices
triu_indices unbind unique_all unique_counts unique_inverse unstack
""".split()
)
