"""Write what the programs give in JAX: `python -m tests.tutorials.with_jax`, where JAX is installed.

Leaves of the results, in double precision, with the version of JAX.
"""

import json
from pathlib import Path

from tests.tutorials.renaming import as_jax

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "expected.json"


def main() -> None:
    import jax  # not a dependency: the numbers are kept
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    found: dict[str, object] = {"jax": jax.__version__}
    for path in sorted((HERE / "programs").glob("[!_]*.py")):
        space: dict[str, object] = {"__name__": path.stem}
        exec(compile(as_jax(path.read_text(encoding="utf-8")), path.name, "exec"), space)
        leaves = jax.tree.leaves(space["results"]())  # type: ignore[operator]
        found[path.stem] = [np.asarray(leaf, np.float64).tolist() for leaf in leaves]
    EXPECTED.write_text(json.dumps(found, indent=None, separators=(",", ":")).replace('],"', '],\n"') + "\n")


if __name__ == "__main__":
    main()
