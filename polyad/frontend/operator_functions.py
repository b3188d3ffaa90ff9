"""The functions of `polyad` and `polyad.numpy` that are operators of the table, each under the operator's name.

What a function does stands in its entry (`polyad.ops`); the line here is for editors and type checkers, and
tests/frontend/test_operator_functions.py says which one is missing: docs/decisions/0028-a-line-for-each-function.md.
Whoever imports all names gets the functions and nothing else.
"""

from polyad.frontend.scalar_functions import scalar_function as _function

exp = _function("exp")
expm1 = _function("expm1")
log = _function("log")
log1p = _function("log1p")
sqrt = _function("sqrt")
rsqrt = _function("rsqrt")
cbrt = _function("cbrt")
hypot = _function("hypot")
logaddexp = _function("logaddexp")
erf = _function("erf")
erfinv = _function("erfinv")
sin = _function("sin")
cos = _function("cos")
tan = _function("tan")
asin = _function("asin")
acos = _function("acos")
atan = _function("atan")
atan2 = _function("atan2")
sinh = _function("sinh")
cosh = _function("cosh")
tanh = _function("tanh")
asinh = _function("asinh")
acosh = _function("acosh")
atanh = _function("atanh")
sigmoid = _function("sigmoid")
pow = _function("pow")
abs = _function("abs")
sign = _function("sign")
floor = _function("floor")
ceil = _function("ceil")
round = _function("round")
trunc = _function("trunc")
maximum = _function("maximum")
minimum = _function("minimum")
isnan = _function("isnan")
