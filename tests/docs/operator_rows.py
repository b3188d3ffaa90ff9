"""The table behind `docs/operators.md`: a line for each public function of `polyad.numpy`, `linalg` and `nn`.

    name | gradient | ties | tested against | JAX | PyTorch

`gradient` is `yes`; `zero`, which it is almost everywhere; or `none`, where the result counts or decides. `ties` says
what it is where there is none, or by what argument there is none. A spelling of `=` is the same name, in `jax.numpy`
and `torch`, in their `linalg`, or in `jax.nn` and `torch.nn.functional`; `-` is none.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MODULES", "Row", "rows"]


@dataclass(frozen=True, slots=True)
class Row:
    """One operator.

    Attributes:
        name: of the function.
        gradient: yes, zero or none.
        ties: what is chosen where it has none.
        tested: against what.
        jax: how JAX spells it.
        torch: how PyTorch does.
    """

    name: str
    gradient: str
    ties: str
    tested: str
    jax: str
    torch: str


def rows(module: str) -> list[Row]:
    """The rows of a module, by name."""
    home, there = {"numpy": ("jnp", "torch"), "linalg": ("jnp.linalg", "torch.linalg"), "nn": ("jax.nn", "F")}[module]
    found = []
    for line in MODULES[module].strip().splitlines():
        name, gradient, ties, tested, jax, torch = (cell.strip() for cell in line.split("|"))
        spelled = (f"{h}.{name}" if s == "=" else s for h, s in ((home, jax), (there, torch)))
        found.append(Row(name, gradient, ties, tested, *spelled))
    return sorted(found, key=lambda r: r.name)


NUMPY = """
abs | yes | 0 at 0 | NumPy | = | =
absolute | yes | 0 at 0 | NumPy | = | =
acos | yes | | NumPy | = | =
acosh | yes | | NumPy | = | =
add | yes | | NumPy | = | =
all | none | | NumPy | = | =
allclose | none | | NumPy | = | =
amax | yes | to the first | NumPy | = | =
amin | yes | to the first | NumPy | = | =
angle | yes | nan at 0; JAX's convention | NumPy | = | =
any | none | | NumPy | = | =
append | yes | | NumPy | = | torch.cat
apply_along_axis | yes | | NumPy | = | -
arange | none | | NumPy | = | =
arccos | yes | | NumPy | = | =
arccosh | yes | | NumPy | = | =
arcsin | yes | | NumPy | = | =
arcsinh | yes | | NumPy | = | =
arctan | yes | | NumPy | = | =
arctan2 | yes | | NumPy | = | =
arctanh | yes | | NumPy | = | =
argmax | none | the first, also of nan | NumPy | = | =
argmin | none | the first, also of nan | NumPy | = | =
argsort | none | | NumPy | = | =
array | yes | | NumPy | = | torch.tensor
array_equal | none | | NumPy | = | torch.equal
array_split | yes | | NumPy | = | torch.tensor_split
asarray | yes | | NumPy | = | =
asin | yes | | NumPy | = | =
asinh | yes | | NumPy | = | =
atan | yes | | NumPy | = | =
atan2 | yes | | NumPy | = | =
atanh | yes | | NumPy | = | =
atleast_1d | yes | | NumPy | = | =
atleast_2d | yes | | NumPy | = | =
atleast_3d | yes | | NumPy | = | =
average | yes | | NumPy | = | -
bincount | none | | NumPy | = | =
bitwise_and | none | | NumPy | = | =
bitwise_count | none | | NumPy | = | -
bitwise_invert | none | | NumPy | = | torch.bitwise_not
bitwise_left_shift | none | | NumPy | = | =
bitwise_not | none | | NumPy | = | =
bitwise_or | none | | NumPy | = | =
bitwise_right_shift | none | | NumPy | = | =
bitwise_xor | none | | NumPy | = | =
broadcast_arrays | yes | | NumPy | = | torch.broadcast_tensors
broadcast_to | yes | | NumPy | = | =
cbrt | yes | inf at 0 | NumPy | = | -
ceil | zero | 0 | NumPy | = | =
clip | yes | half by x and half by the bound | NumPy | = | =
column_stack | yes | | NumPy | = | =
concat | yes | | NumPy | = | =
concatenate | yes | | NumPy | = | =
conj | yes | JAX's convention | NumPy | = | =
conjugate | yes | JAX's convention | NumPy | = | torch.conj
convolve | yes | | NumPy | = | F.conv1d
correlate | yes | | NumPy | = | F.conv1d
cos | yes | | NumPy | = | =
cosh | yes | | NumPy | = | =
count_nonzero | none | | NumPy | = | =
cross | yes | | NumPy | = | torch.linalg.cross
cummax | yes | half and half | NumPy | lax.cummax | =
cummin | yes | half and half | NumPy | lax.cummin | =
cumprod | yes | right at zeros, too | NumPy | = | =
cumsum | yes | | NumPy | = | =
cumulative_prod | yes | | NumPy | = | torch.cumprod
cumulative_sum | yes | | NumPy | = | torch.cumsum
deg2rad | yes | | NumPy | = | =
degrees | yes | | NumPy | = | torch.rad2deg
diag | yes | | NumPy | = | =
diagonal | yes | | NumPy | = | =
diff | yes | | NumPy | = | =
digitize | none | | NumPy | = | torch.bucketize
divide | yes | | NumPy | = | =
dot | yes | | NumPy | = | torch.matmul
dsplit | yes | | NumPy | = | =
dstack | yes | | NumPy | = | =
dynamic_slice | yes | by x; none by the start | NumPy | lax.dynamic_slice | -
dynamic_update_slice | yes | by both arrays; none by the start | NumPy | lax.dynamic_update_slice | -
ediff1d | yes | | NumPy | = | torch.diff
einsum | yes | | NumPy | = | =
empty | none | | NumPy | = | torch.zeros
empty_like | none | | NumPy | = | torch.zeros_like
equal | none | | NumPy | = | torch.eq
erf | yes | | NumPy | jax.scipy.special.erf | =
erfinv | yes | | erf | jax.scipy.special.erfinv | =
exp | yes | | NumPy | = | =
exp2 | yes | | NumPy | = | =
expand_dims | yes | | NumPy | = | torch.unsqueeze
expm1 | yes | | NumPy | = | =
eye | none | | NumPy | = | =
fabs | yes | 0 at 0 | NumPy | = | torch.abs
fix | zero | | NumPy | - | =
flip | yes | | NumPy | = | =
fliplr | yes | | NumPy | = | =
flipud | yes | | NumPy | = | =
float_power | yes | | NumPy | = | =
floor | zero | 0 | NumPy | = | =
floor_divide | zero | 0 | NumPy | = | =
fmax | yes | half and half | NumPy | = | =
fmin | yes | half and half | NumPy | = | =
fmod | yes | | NumPy | = | =
full | yes | by the value | NumPy | = | =
full_like | yes | by the value | NumPy | = | =
greater | none | | NumPy | = | =
greater_equal | none | | NumPy | = | =
heaviside | zero | 0, also at 0 | NumPy | = | =
histogram | none | | NumPy | = | =
histogram_bin_edges | none | | NumPy | = | -
hsplit | yes | | NumPy | = | =
hstack | yes | | NumPy | = | =
hypot | yes | 0 by both at (0, 0) | NumPy | = | =
identity | none | | NumPy | = | torch.eye
imag | yes | JAX's convention | NumPy | = | =
inner | yes | | NumPy | = | =
interp | yes | of the piece to the right | NumPy | = | -
invert | none | | NumPy | = | torch.bitwise_not
isclose | none | | NumPy | = | =
isfinite | none | | NumPy | = | =
isinf | none | | NumPy | = | =
isnan | none | | NumPy | = | =
isneginf | none | | NumPy | = | =
isposinf | none | | NumPy | = | =
kron | yes | | NumPy | = | =
left_shift | none | | NumPy | = | torch.bitwise_left_shift
less | none | | NumPy | = | =
less_equal | none | | NumPy | = | =
linspace | none | | NumPy | = | =
log | yes | | NumPy | = | =
log10 | yes | | NumPy | = | =
log1p | yes | | NumPy | = | =
log2 | yes | | NumPy | = | =
logaddexp | yes | half by each where both are the same infinity | NumPy | = | =
logical_and | none | | NumPy | = | =
logical_not | none | | NumPy | = | =
logical_or | none | | NumPy | = | =
logical_xor | none | | NumPy | = | =
logspace | yes | | NumPy | = | =
matmul | yes | | NumPy | = | =
matrix_transpose | yes | | NumPy | = | x.mT
matvec | yes | | NumPy | = | torch.mv
max | yes | 1 by the first, also of nan | NumPy | = | torch.amax
maximum | yes | half by each; 0 at nan | NumPy | = | =
mean | yes | | NumPy | = | =
median | yes | of the middle elements, in the order of positions | NumPy | = | =
meshgrid | yes | | NumPy | = | =
min | yes | 1 by the first, also of nan | NumPy | = | torch.amin
minimum | yes | half by each; 0 at nan | NumPy | = | =
mod | yes | 1 by x, -floor(x / y) by y | NumPy | = | torch.remainder
moveaxis | yes | | NumPy | = | =
multiply | yes | | NumPy | = | =
nan_to_num | yes | | NumPy | = | =
nanmax | yes | to the first | NumPy | = | -
nanmean | yes | | NumPy | = | =
nanmin | yes | to the first | NumPy | = | -
nansum | yes | | NumPy | = | =
negative | yes | | NumPy | = | =
not_equal | none | | NumPy | = | =
ones | none | | NumPy | = | =
ones_like | none | | NumPy | = | =
outer | yes | | NumPy | = | =
pad | yes | | NumPy | = | F.pad
percentile | yes | of the neighbours, in the order of positions | NumPy | = | torch.quantile
permute_dims | yes | | NumPy | = | torch.permute
positive | yes | | NumPy | = | =
pow | yes | by x: 0 where y = 0; by y: 0 where x <= 0 | NumPy | = | =
power | yes | as pow | NumPy | = | torch.pow
prod | yes | right at zeros, too | NumPy | = | =
ptp | yes | to the first of each | NumPy | = | -
quantile | yes | of the neighbours, in the order of positions | NumPy | = | =
rad2deg | yes | | NumPy | = | =
radians | yes | | NumPy | = | torch.deg2rad
ravel | yes | | NumPy | = | =
real | yes | JAX's convention | NumPy | = | =
reciprocal | yes | | NumPy | = | =
remainder | yes | as mod | NumPy | = | =
repeat | yes | | NumPy | = | torch.repeat_interleave
reshape | yes | | NumPy | = | =
right_shift | none | | NumPy | = | torch.bitwise_right_shift
rint | zero | 0 | NumPy | = | torch.round
roll | yes | | NumPy | = | =
rot90 | yes | | NumPy | = | =
round | zero | 0 | NumPy | = | =
row_stack | yes | | NumPy | - | =
rsqrt | yes | | NumPy | lax.rsqrt | =
searchsorted | none | | NumPy | = | =
select | yes | | NumPy | = | -
sigmoid | yes | | NumPy | jax.nn.sigmoid | =
sign | zero | 0 | NumPy | = | =
sin | yes | | NumPy | = | =
sinh | yes | | NumPy | = | =
sort | yes | in the order of positions | NumPy | = | =
split | yes | | NumPy | = | torch.tensor_split
sqrt | yes | inf at 0 | NumPy | = | =
square | yes | | NumPy | = | =
squeeze | yes | | NumPy | = | =
stack | yes | | NumPy | = | =
std | yes | | NumPy | = | =
subtract | yes | | NumPy | = | =
sum | yes | | NumPy | = | =
swapaxes | yes | | NumPy | = | =
take | yes | by x; none by the indices | NumPy | = | torch.index_select
take_along_axis | yes | by x; none by the indices | NumPy | = | torch.take_along_dim
tan | yes | | NumPy | = | =
tanh | yes | | NumPy | = | =
tensordot | yes | | NumPy | = | =
tile | yes | | NumPy | = | =
top_k | yes | in the order of positions | NumPy | lax.top_k | torch.topk
trace | yes | | NumPy | = | =
transpose | yes | | NumPy | = | torch.permute
trapezoid | yes | | NumPy | = | =
tril | yes | | NumPy | = | =
triu | yes | | NumPy | = | =
true_divide | yes | | NumPy | = | =
trunc | zero | 0 | NumPy | = | =
var | yes | | NumPy | = | =
vdot | yes | | NumPy | = | =
vecdot | yes | | NumPy | = | torch.linalg.vecdot
vecmat | yes | | NumPy | = | -
vectorize | yes | | NumPy | = | torch.vmap
vsplit | yes | | NumPy | = | =
vstack | yes | | NumPy | = | =
where | yes | of the branch taken; none by the condition | NumPy | = | =
zeros | none | | NumPy | = | =
zeros_like | none | | NumPy | = | =
"""

NN = """
adaptive_avg_pool1d | yes | | PyTorch | - | =
adaptive_avg_pool2d | yes | | PyTorch | - | =
adaptive_avg_pool3d | yes | | PyTorch | - | =
adaptive_max_pool1d | yes | 1 by the first | PyTorch | - | =
adaptive_max_pool2d | yes | 1 by the first, row by row | PyTorch | - | =
adaptive_max_pool3d | yes | 1 by the first, row by row | PyTorch | - | =
avg_pool1d | yes | | PyTorch | lax.reduce_window | =
avg_pool2d | yes | | PyTorch | lax.reduce_window | =
avg_pool3d | yes | | PyTorch | lax.reduce_window | =
batch_norm | yes | also by given statistics | PyTorch | jax.nn.standardize | =
bias_add | yes | | PyTorch | x + b[:, None] | x + b[:, None]
bidirectional | yes | | PyTorch | - | nn.LSTM(bidirectional=True)
binary_cross_entropy | yes | by both | PyTorch | - | F.binary_cross_entropy_with_logits
broadcast_to_like | yes | | PyTorch | jnp.broadcast_to(x, y.shape) | x.expand(y.shape)
celu | yes | 1 at 0 | PyTorch | = | =
collapse_sum_like | yes | | PyTorch | - | x.sum_to_size(y.shape)
conv1d | yes | | PyTorch | lax.conv_general_dilated | =
conv1d_transpose | yes | | PyTorch | lax.conv_transpose | F.conv_transpose1d
conv2d | yes | | PyTorch | lax.conv_general_dilated | =
conv2d_transpose | yes | | PyTorch | lax.conv_transpose | F.conv_transpose2d
conv3d | yes | | PyTorch | lax.conv_general_dilated | =
conv3d_transpose | yes | | PyTorch | lax.conv_transpose | F.conv_transpose3d
cosine_similarity | yes | 0 by the length where that is below eps | PyTorch | - | =
cross_entropy | yes | by labels that are probabilities, too | PyTorch | - | =
ctc_loss | yes | 0 where zero_infinity made it 0 | PyTorch | - | =
dense | yes | | NumPy | x @ w.T + b | F.linear
dropout | yes | none by the mask | NumPy | - | =
elu | yes | alpha at 0 | PyTorch | = | =
embedding | yes | by the table | NumPy | table[ids] | =
embedding_bag | yes | maxima: 1 by the first | PyTorch | - | =
flatten | yes | | PyTorch | - | torch.flatten
fold | yes | | PyTorch | - | =
gather_nd | yes | by x; none by the indices | PyTorch | x[tuple(indices)] | x[tuple(indices)]
gelu | yes | | PyTorch | = | =
global_avg_pool2d | yes | | PyTorch | x.mean((2, 3)) | F.adaptive_avg_pool2d
global_max_pool2d | yes | 1 by the first, row by row | PyTorch | x.max((2, 3)) | F.adaptive_max_pool2d
glorot_normal | none | | moments | jax.nn.initializers.glorot_normal | nn.init.xavier_normal_
glorot_uniform | none | | moments | jax.nn.initializers.glorot_uniform | nn.init.xavier_uniform_
glu | yes | | PyTorch | = | =
grid_sample | yes | half at a border that is kept to | PyTorch | jax.scipy.ndimage.map_coordinates | =
group_norm | yes | | PyTorch | - | =
gru | yes | | PyTorch | - | nn.GRU
gru_cell | yes | | PyTorch | - | nn.GRUCell
hard_sigmoid | yes | half at -3 and 3 | NumPy | = | F.hardsigmoid
hard_swish | yes | 0 at -3, 1 at 3 | PyTorch | = | F.hardswish
hard_tanh | yes | 0 at the bounds | PyTorch | = | F.hardtanh
he_normal | none | | moments | jax.nn.initializers.he_normal | nn.init.kaiming_normal_
he_uniform | none | | moments | jax.nn.initializers.he_uniform | nn.init.kaiming_uniform_
huber_loss | yes | smooth | PyTorch | - | =
instance_norm | yes | | PyTorch | - | =
kl_div | yes | by the target: none of its logarithm at 0 | PyTorch | - | =
l2_normalize | yes | 0 by the length where that is below eps | PyTorch | - | F.normalize
layer_norm | yes | | PyTorch | jax.nn.standardize | =
layout_transform | yes | | PyTorch | - | -
leaky_relu | yes | the slope at 0 | PyTorch | = | =
lecun_normal | none | | moments | jax.nn.initializers.lecun_normal | -
lecun_uniform | none | | moments | jax.nn.initializers.lecun_uniform | -
log_sigmoid | yes | | NumPy | = | F.logsigmoid
log_softmax | yes | | PyTorch | = | =
logsumexp | yes | 0 where the value is infinite | NumPy | = | torch.logsumexp
lrn | yes | | PyTorch | - | F.local_response_norm
lstm | yes | | PyTorch | - | nn.LSTM
lstm_cell | yes | | PyTorch | - | nn.LSTMCell
mae_loss | yes | 0 where both agree | PyTorch | - | F.l1_loss
max_pool1d | yes | 1 by the first | PyTorch | lax.reduce_window | =
max_pool2d | yes | 1 by the first, row by row | PyTorch | lax.reduce_window | =
max_pool3d | yes | 1 by the first, row by row | PyTorch | lax.reduce_window | =
mish | yes | | PyTorch | = | =
mse_loss | yes | | PyTorch | - | =
multibox_prior | none | | loops in NumPy | - | -
multibox_transform_loc | yes | half where boxes are cut | loops in NumPy | - | -
nll_loss | yes | | PyTorch | - | =
nms | none | | loops in NumPy | - | -
one_hot | none | | NumPy | = | =
orthogonal | none | | NumPy | jax.nn.initializers.orthogonal | nn.init.orthogonal_
pixel_shuffle | yes | | PyTorch | - | =
pixel_unshuffle | yes | | PyTorch | - | =
prelu | yes | the slope at 0 | NumPy | - | =
relu | yes | 0 at 0 | NumPy | = | =
relu6 | yes | 0 at 0 and 6 | PyTorch | = | =
reshape_like | yes | | PyTorch | jnp.reshape(x, y.shape) | x.reshape(y.shape)
resize | yes | none by the size | PyTorch | jax.image.resize | F.interpolate
resize2d | yes | none by the size | PyTorch | jax.image.resize | F.interpolate
rms_norm | yes | | NumPy | - | =
rnn | yes | | PyTorch | - | nn.RNN
rnn_cell | yes | | PyTorch | - | nn.RNNCell
scaled_dot_product_attention | yes | by added masks, too | PyTorch | jax.nn.dot_product_attention | =
scatter_add | yes | by both; none by the indices | PyTorch | x.at[ids].add(updates) | torch.scatter_add
scatter_nd | yes | by both; none by the indices | PyTorch | x.at[tuple(indices)].add(updates) | torch.index_put
segment_sum | yes | none by the ids | PyTorch | jax.ops.segment_sum | torch.index_add
selu | yes | scale * alpha at 0 | PyTorch | = | =
sigmoid | yes | | NumPy | = | torch.sigmoid
silu | yes | | NumPy | = | =
slice_like | yes | | PyTorch | - | -
smooth_l1_loss | yes | smooth; 0 where both agree for beta = 0 | PyTorch | - | =
softmax | yes | | NumPy | = | =
softplus | yes | | NumPy | = | =
softsign | yes | | NumPy | jax.nn.soft_sign | =
stacked | yes | | PyTorch | - | nn.LSTM(num_layers=2)
tanh | yes | | NumPy | jnp.tanh | torch.tanh
tanhshrink | yes | | PyTorch | - | =
unfold | yes | | PyTorch | lax.conv_general_dilated_patches | =
upsample | yes | | PyTorch | jax.image.resize | F.interpolate
winograd_conv2d | yes | | PyTorch | - | F.conv2d
"""

LINALG = """
cho_factor | yes | | LAPACK | jax.scipy.linalg.cho_factor | torch.linalg.cholesky
cho_solve | yes | | LAPACK | jax.scipy.linalg.cho_solve | torch.cholesky_solve
cholesky | yes | | LAPACK | = | =
cross | yes | | NumPy | = | =
det | yes | not the cofactors at some singular matrices | LAPACK | = | =
diagonal | yes | | NumPy | = | =
eigh | yes | none where eigenvalues meet | LAPACK | = | =
eigvalsh | yes | | LAPACK | = | =
expm | yes | | LAPACK | jax.scipy.linalg.expm | torch.linalg.matrix_exp
inv | yes | | LAPACK | = | =
lstsq | yes | | LAPACK | = | =
lu | yes | | LAPACK | jax.scipy.linalg.lu | =
matmul | yes | | NumPy | = | =
matrix_norm | yes | nan at 0 | LAPACK | = | =
matrix_power | yes | | LAPACK | = | =
matrix_transpose | yes | | NumPy | = | x.mT
multi_dot | yes | | LAPACK | = | =
norm | yes | nan at 0 | LAPACK | = | =
outer | yes | | NumPy | = | torch.outer
qr | yes | | LAPACK | = | =
slogdet | yes | | LAPACK | = | =
solve | yes | | LAPACK | = | =
solve_banded | yes | | LAPACK | - | -
solve_triangular | yes | | LAPACK | jax.scipy.linalg.solve_triangular | =
tensordot | yes | | NumPy | = | torch.tensordot
trace | yes | | NumPy | = | torch.trace
tridiagonal_solve | yes | | LAPACK | lax.linalg.tridiagonal_solve | -
vecdot | yes | | NumPy | = | =
vector_norm | yes | nan at 0 | LAPACK | = | =
"""

MODULES = {"numpy": NUMPY, "linalg": LINALG, "nn": NN}
