import copy
import multiprocessing
import os
import pickle
import re
import threading

import numpy as np
import pytest

import polyad as pa
import polyad_c
from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.runtime.status import Status
from tests.runtime.handmade import COUNT, ENERGY, SCALE, TAKE, TAKE_PROGRAM, handmade, kernel_of


@pytest.fixture(scope="module")
def energy() -> Kernel:
    return kernel_of(ENERGY)


@pytest.fixture(scope="module")
def scale() -> Kernel:
    return kernel_of(SCALE, "c")


@pytest.fixture(scope="module")
def take() -> Kernel:
    return kernel_of(TAKE, "c", program=TAKE_PROGRAM)


def energy_arguments(n: int = 5, k: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, k)), rng.normal(size=k)


def check_energy(result: tuple[np.ndarray, ...], A: np.ndarray, x: np.ndarray) -> None:
    y, loss = result
    np.testing.assert_allclose(y, np.tanh(A @ x), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(loss, np.sum(np.tanh(A @ x) ** 2), rtol=1e-12, atol=1e-14)
    assert loss.shape == ()


def test_calls_by_position_and_by_name(energy: Kernel) -> None:
    A, x = energy_arguments()
    for result in (energy(A, x), energy(A, x=x), energy(x=x, A=A), energy(A, x, N=5), energy(x=x, A=A, K=3)):
        check_energy(result, A, x)


def test_sizes_may_change_from_call_to_call(energy: Kernel) -> None:
    for n in [*range(1, 100), 5, 70_000, 5]:
        A, x = energy_arguments(n, 2, seed=n)
        check_energy(energy(A, x), A, x)


def test_one_output_comes_alone_and_pytrees_are_the_callers(scale: Kernel) -> None:
    assert isinstance(scale(np.ones(3, np.float32), np.float32(2)), np.ndarray)
    named = kernel_of(ENERGY, unflatten=lambda arrays: dict(zip(("y", "loss"), arrays, strict=True)))
    assert set(named(*energy_arguments())) == {"y", "loss"}


@pytest.mark.parametrize(
    ("args", "kwargs", "message", "argument"),
    [
        (2, {"z": 1}, r"energy has no argument 'z'; it is energy\(A, x, \*, N, K\)", "z"),
        (1, {}, r"missing 'x'; it is energy\(A, x\)", "x"),
        (0, {}, "missing 'A', 'x'", "A"),
        (2, {"x": 0}, "argument 'x' was given twice, by position and by name", "x"),
        (3, {}, "energy takes 2 arrays, got 3", ""),
        (2, {"N": 2.5}, "size N: expected an integer, got 2.5", "N"),
        (2, {"N": 4}, "A has shape", "A"),
    ],
)
def test_wrong_arguments_are_named(energy: Kernel, args: int, kwargs: dict, message: str, argument: str) -> None:  # type: ignore[type-arg]
    values = (*energy_arguments(), np.zeros(1))[:args]
    with pytest.raises(CallError, match=message) as caught:
        energy(*values, **kwargs)
    assert caught.value.argument == argument


def test_wrong_shapes_say_what_was_expected(energy: Kernel) -> None:
    A, x = energy_arguments()
    with pytest.raises(CallError, match=r"energy: argument x has shape \(4,\).*K = 3.*from A"):
        energy(A, np.zeros(4))
    with pytest.raises(CallError, match=r"A has 1 dimensions.*float64\[N, K\]"):
        energy(A[0], x)


def test_a_size_outside_the_context_is_refused(energy: Kernel) -> None:
    with pytest.raises(CallError, match=r"energy: .*K.*>= 1"):
        energy(np.zeros((3, 0)), np.zeros(0))


def test_a_size_that_no_input_shows_is_given_by_name() -> None:
    count = kernel_of(COUNT, "c")
    assert count(N=4).tolist() == [0, 1, 2, 3]
    assert count(N=np.int64(2)).tolist() == [0, 1]
    with pytest.raises(CallError, match=r"N .* pass it by name"):
        count()
    with pytest.raises(CallError, match="count"):
        count(N=-1)


def test_a_program_without_sizes() -> None:
    source = handmade("answer", [], ["x: float64[2]"], ["y: float64[]"], "    y[0] = x[0] + x[1];")
    assert kernel_of(source, "c")(np.array([40.0, 2.0])) == 42.0


def test_safe_conversions_are_made(scale: Kernel) -> None:
    expected = [2.0, 5.0, 8.0]
    for x in ([1.0, 2.0, 3.0], [1, 2, 3], (1, 2, 3), np.array([1, 2, 3], np.int8), np.array([1, 2, 3], np.uint16)):
        assert scale(x, 2).tolist() == expected
    assert scale(np.array([1, 2, 3], ">f4"), np.float32(2)).tolist() == expected
    assert scale([True, False, True], 1.0).tolist() == [1.0, 1.0, 1.0]
    assert scale(np.array([1, 2, 3], np.float16), np.float16(2)).tolist() == expected


def test_integers_that_a_float_does_not_hold_are_refused(scale: Kernel, energy: Kernel) -> None:
    A, x = np.zeros((2, 2), np.int64), np.ones(2)
    A[1, 0] = 2**53
    assert energy(A, x)[0].tolist() == [0.0, 1.0]
    A[1, 0] += 1
    for given in (A, A.astype(np.uint64), A.tolist()):
        with pytest.raises(
            CallError, match=r"A\[1, 0\] = 9007199254740993 is no float64: .* 9007199254740992"
        ) as caught:
            energy(given, x)
        assert caught.value.argument == "A"
    with pytest.raises(CallError, match="factor = 16777217 is no float32: it would become 16777216"):
        scale([1.0], 16777217)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros(3), r"x: expected float32, got float64; pass x.astype\('float32'\)"),
        (np.zeros(3, np.int32), r"got int32; pass x.astype\('float32'\)"),
        (np.zeros(3, np.uint64), r"got uint64; pass x.astype\('float32'\)"),
        (np.zeros(3, np.complex64), "expected float32 numbers, got an array of complex64; .* x.real and x.imag"),
        (np.array(["a", "b"]), "expected float32 numbers, got an array of <U1"),
        (np.array([1, None]), "expected float32 numbers, got an array of object"),
        (np.zeros(3, [("a", "f4")]), "expected float32 numbers, got an array of"),
        (np.zeros(3, "datetime64[s]"), "expected float32 numbers, got an array of datetime64"),
        ([[1.0], [1.0, 2.0]], "expected float32 numbers, got list"),
        (None, "expected float32 numbers, got an array of object"),
        (np.ma.masked_array([1.0, 2.0], [0, 1]), r"x is a masked array; kernels know no masks: pass x.filled\(...\)"),
    ],
)
def test_lossy_conversions_are_refused(scale: Kernel, value: object, message: str) -> None:
    with pytest.raises(CallError, match=message) as caught:
        scale(value, 2.0)
    assert caught.value.argument == "x"


def test_integers_keep_their_value(take: Kernel) -> None:
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert take(table, [2, 0]).tolist() == [[4, 5], [0, 1]]
    assert take(table, np.array([1], np.uint8)).tolist() == [[2, 3]]
    for ids in ([1.0], [2**40], np.array([1], np.int64), np.array([1], np.uint32)):
        with pytest.raises(CallError, match="ids: expected int32"):
            take(table, ids)


def test_any_layout_is_read(energy: Kernel) -> None:
    A, x = energy_arguments(6, 4)
    backing = np.zeros(A.nbytes + 1, np.uint8)
    misaligned = backing[1:].view(np.float64).reshape(A.shape)
    misaligned[:] = A
    strided = np.zeros((6, 8))
    strided[:, ::2] = A
    frozen = A.copy()
    frozen.flags.writeable = False
    for given in (np.asfortranarray(A), strided[:, ::2], A[::-1][::-1], misaligned, frozen, A.astype(">f8")):
        before = given.copy()
        check_energy(energy(given, x), A, x)
        np.testing.assert_array_equal(given, before)
    check_energy(energy(A[::-1], x), A[::-1], x)
    check_energy(energy(np.broadcast_to(A[0], A.shape), x), np.broadcast_to(A[0], A.shape), x)


def test_nan_and_infinity_pass(scale: Kernel) -> None:
    y = scale(np.array([np.nan, np.inf, 1.0], np.float32), np.float32(1))
    assert np.isnan(y[0])
    assert np.isnan(y[1])
    assert y[2] == np.inf


def test_out_takes_an_array_a_sequence_or_a_mapping(energy: Kernel, scale: Kernel) -> None:
    A, x = energy_arguments()
    y, loss = np.empty(5), np.empty(())
    for out in ([y, loss], (y, loss), {"loss": loss, "y": y}):
        y[:], loss[()] = 0, 0
        result = energy(A, x, out=out)
        assert result[0] is y
        assert result[1] is loss
        check_energy(result, A, x)
    (new, mine) = energy(A, x, out={"loss": loss})
    assert mine is loss
    check_energy((new, mine), A, x)
    single = np.empty(3, np.float32)
    assert scale(np.ones(3, np.float32), 1.0, out=single) is single


def test_out_may_have_any_layout(scale: Kernel) -> None:
    x = np.array([1, 2, 3], np.float32)
    strided = np.zeros(6, np.float32)
    assert scale(x, 2.0, out=strided[::2]).tolist() == [2, 5, 8]
    assert strided.tolist() == [2, 0, 5, 0, 8, 0]
    swapped = np.zeros(3, ">f4")
    assert scale(x, 2.0, out=swapped) is swapped
    assert swapped.tolist() == [2, 5, 8]


def test_out_may_be_an_input(scale: Kernel) -> None:
    x = np.array([1, 2, 3, 4], np.float32)
    expected = scale(x, 2.0).tolist()
    assert scale(x, 2.0, out=x) is x
    assert x.tolist() == expected
    shifted = np.array([1, 2, 3, 4, 0], np.float32)
    scale(shifted[:4], 2.0, out=shifted[1:])
    assert shifted[1:].tolist() == expected


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.empty(4, np.float32), r"y: expected shape \(N,\) = \(3,\), got \(4,\)"),
        (np.empty((3, 1), np.float32), r"y: expected shape"),
        (np.empty(3), "y: expected float32, got float64"),
        ([0.0, 0.0, 0.0], r"out= takes 1 arrays \(y\), got 3 arrays"),
        ([[0.0, 0.0, 0.0]], "y: expected a NumPy array, got list"),
        (7, "got int"),
        ({"z": np.empty(3, np.float32)}, r"the outputs are y"),
        (np.broadcast_to(np.float32(0), (3,)), "y is read-only"),
        (np.lib.stride_tricks.as_strided(np.empty(1, np.float32), (3,), (0,)), "y is a view of which several elements"),
        (
            np.lib.stride_tricks.as_strided(np.empty(9, np.int8).view(np.uint8)[:8].view(np.float32), (3,), (2,)),
            "are one",
        ),
    ],
)
def test_wrong_out_is_refused(scale: Kernel, out: object, message: str) -> None:
    with pytest.raises(CallError, match=message):
        scale(np.ones(3, np.float32), 1.0, out=out)


def test_views_of_which_no_two_elements_are_one_are_filled(energy: Kernel) -> None:
    A, x = energy_arguments()
    y, _ = energy(A, x)
    block = np.zeros(3 * y.size)
    for own in (block[::3][: y.size], block[::-2][: y.size]):
        energy(A, x, out={"y": own})
        assert own.tolist() == y.tolist()


def test_windows_that_overlap_are_refused() -> None:
    """No dimension alone tells: of strides 24 and 16 two rows of four elements are apart, and three are not."""
    rows = pa.sizes("rows")
    x = pa.placeholder((rows, 4), "x", "float64")
    kernel = pa.compile(pa.compute((rows, 4), lambda i, j: 2 * x[i, j]), [x], target="c")

    def window(count: int) -> np.ndarray:
        return np.lib.stride_tricks.as_strided(np.zeros(64), (count, 4), (24, 16))

    with pytest.raises(CallError, match="several elements are one"):
        kernel(np.ones((3, 4)), out=window(3))
    apart = window(2)
    kernel(np.ones((2, 4)), out=apart)
    assert apart.tolist() == [[2.0] * 4] * 2


def test_outputs_that_overlap_are_refused(energy: Kernel) -> None:
    A, x = energy_arguments()
    block = np.empty(5)
    with pytest.raises(CallError, match="y and loss share memory"):
        energy(A, x, out=[block, block[4:].reshape(())])


def test_an_index_out_of_range_is_found_in_the_data(take: Kernel) -> None:
    table = np.zeros((3, 2), np.float32)
    rows = np.full((4, 2), 7, np.float32)
    with pytest.raises(
        CallError,
        match=r"take: index out of range: ids\[2\] = 3, used as ids\[t\] in dimension 0 of table, must lie in 0 .. 2",
    ) as caught:
        take(table, np.array([0, 2, 3, -1], np.int32), out=rows)
    assert caught.value.argument == "ids"
    assert (rows == 7).all()


def test_threads_run_one_kernel_at_once(energy: Kernel) -> None:
    problems: list[BaseException] = []
    start = threading.Barrier(8)

    def run(seed: int) -> None:
        try:
            start.wait()
            for i in range(30):
                A, x = energy_arguments(50 + 40 * seed + i, 7, seed)
                check_energy(energy(A, x), A, x)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_pickling_and_copying(energy: Kernel) -> None:
    A, x = energy_arguments()
    for twin in (pickle.loads(pickle.dumps(energy)), copy.copy(energy), copy.deepcopy(energy)):
        check_energy(twin(A, x), A, x)
        assert twin.source == energy.source
        assert twin.target == energy.target
        assert str(twin.program) == str(energy.program)
        assert str(twin.schedule) == str(energy.schedule)


def _call(kernel: Kernel, arguments: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return kernel(*arguments)


@pytest.mark.parametrize("method", [m for m in ("fork", "spawn") if m in multiprocessing.get_all_start_methods()])
@pytest.mark.quick_cases(1)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_other_processes_call_it(energy: Kernel, method: str) -> None:
    A, x = energy_arguments(5000, 3)
    check_energy(energy(A, x), A, x)  # the parent's OpenMP threads exist before the fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = pool.starmap_async(_call, [(energy, (A, x))] * 4)
        for result in answers.get(timeout=60):
            check_energy(result, A, x)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_forks_again(energy: Kernel) -> None:
    A, x = energy_arguments(5000, 3)
    energy(A, x)

    def child(depth: int) -> int:
        pid = os.fork()
        if pid:
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        status = 1
        try:
            check_energy(energy(A, x), A, x)
            status = child(depth - 1) if depth else 0
        finally:
            os._exit(status)

    assert child(1) == 0


def test_texts_and_structure(energy: Kernel) -> None:
    assert energy.source == ENERGY.c
    assert energy.header == ENERGY.header
    assert energy.name == "energy"
    assert repr(energy) == (
        "<Kernel energy(A, x) -> y: float64[N], loss: float64[]; openmp (march=native, optimize=3)>"
    )
    assert energy.instances(N=4, K=3) == {"Sz": 12, "Sy": 4, "Sl": 4}
    plan = energy.memory_plan(N=9, K=3)
    assert plan.arrays == {"z": 72}
    assert plan.total_bytes == 128 + 64  # room to start on a cache line
    assert energy.describe().startswith("kernel energy, target openmp")
    assert "domain" in str(energy.schedule)


def test_sizes_are_checked_by_name(energy: Kernel) -> None:
    with pytest.raises(CallError, match="energy has no size 'M'; its sizes are N, K"):
        energy.instances(M=3)
    with pytest.raises(CallError, match=r"give a value to size K: K=\.\.\."):
        energy.memory_plan(N=3)


def test_the_status_codes_are_those_of_the_header() -> None:
    found = dict(re.findall(r"#define POLYAD_(?:ERROR_)?(\w+) \(?(-?\d+)\)?\s", polyad_c.runtime_header()))
    assert {status.name: str(int(status)) for status in Status}.items() <= found.items()


def test_a_pickled_kernel_is_compiled_again_for_its_checks(energy: Kernel) -> None:
    check_energy(pickle.loads(pickle.dumps(energy)).check(*energy_arguments()), *energy_arguments())
