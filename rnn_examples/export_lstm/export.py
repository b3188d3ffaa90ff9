"""Export the digits LSTM as a C library, and its weights and test images as a C header.

    python export.py weights.npz build

takes the weights that `lstm_digits.py --save weights.npz` has written, and writes into `build` what `main.c` needs:
the library (`digits_lstm.h`, `libdigits_lstm.a` and more) and the data (`digits_data.h`).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lstm_digits import compile_scores, load


def c_array(name, array):
    """A NumPy array as the definition of a C array of the same shape; %.9g keeps every bit of a float32."""
    kind = "int" if array.dtype.kind == "i" else "float"
    extents = "".join(f"[{extent}]" for extent in array.shape)
    numbers = [f"{v:d}" if kind == "int" else f"{v:.9g}" for v in array.ravel().tolist()]
    # 1.5 and 1e-05 are floating-point constants of C, and so is 1.0f; 1f is not.
    if kind == "float":
        numbers = [(v if "." in v or "e" in v else f"{v}.0") + "f" for v in numbers]
    lines = [", ".join(numbers[n : n + 8]) for n in range(0, len(numbers), 8)]
    body = ",\n    ".join(lines)
    # The braces of the inner dimensions may be left out, but compilers warn; so the array is flat.
    return f"/* {name}{extents} */\nstatic const {kind} {name}[{array.size}] = {{\n    {body}}};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path, help="written by lstm_digits.py --save")
    parser.add_argument("directory", type=Path, help="where the library and the header go")
    parser.add_argument("--seed", type=int, default=0, help="the one of the training: the same images are held out")
    args = parser.parse_args()

    weights = dict(np.load(args.weights))
    hidden = weights["W_hh"].shape[1]
    _, (x, labels) = load(args.seed)

    # target="c": one thread, so the program needs no OpenMP library.
    kernel = compile_scores(hidden, target="c")
    kernel.export(args.directory)
    expected = kernel(*weights.values(), x).argmax(axis=1).astype(np.int32)

    steps, images, inputs = x.shape
    arrays = {**weights, "images": x, "labels": labels, "expected": expected}
    text = [
        "/* Weights of the digits LSTM and the test images, (rows, images, pixels); row-major. */",
        "#ifndef DIGITS_DATA_H",
        "#define DIGITS_DATA_H\n",
        f"enum {{ ROWS = {steps}, IMAGES = {images}, PIXELS = {inputs}, CLASSES = {weights['b_out'].size} }};\n",
        *(c_array(name, array) for name, array in arrays.items()),
        "#endif",
    ]
    (args.directory / "digits_data.h").write_text("\n".join(text) + "\n", encoding="utf-8")
    print(f"exported to {args.directory}: the kernel for {hidden} hidden units, {images} test images")


if __name__ == "__main__":
    main()
