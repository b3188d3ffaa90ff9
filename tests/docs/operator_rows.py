"""The table behind `docs/operators.md`: a line for each public function of `polyad.numpy`, `linalg` and `nn`.

    name | gradient | ties | tested against | JAX | PyTorch

`gradient` is `yes`; `zero`, which it is almost everywhere; or `none`, where the result counts or decides. `ties` says
what it is where there is none, or by what argument there is none. A spelling of `=` is the same name, in `jax.numpy`
and `torch`, in their `linalg`, or in `jax.nn` and `torch.nn.functional`; `-` is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.docs.layer_rows import NN

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
