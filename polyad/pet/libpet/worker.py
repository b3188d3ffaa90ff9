"""The process that runs libpet: a request as JSON on standard input, everything pet saw as JSON on standard output.

pet may abort (a file that is missing), run out of stack (a function that calls itself) or print to standard error, and
brings a clang and an isl of its own; so it lives in a process apart, which imports nothing of polyad. isl's objects
come out as text.

    request ::= {"path", "function": name or null, "libraries": folder, "headers": folder or null, "include", "define"}
    reply   ::= {"scops": [scop, ...], "isl": message or null}

With a function it reads the first loop nest of that function and looks at no other, else all of the file.
"""

from __future__ import annotations

import glob
import json
import os
import re
import resource
import sys
from collections.abc import Callable
from typing import Any

import cffi

# Layouts and prototypes of pet 0.11.6 to 0.11.8 (pet.h) and isl 0.27.
DECLARATIONS = """
typedef struct isl_ctx isl_ctx; typedef struct isl_set isl_set; typedef struct isl_map isl_map;
typedef struct isl_union_map isl_union_map; typedef struct isl_union_set isl_union_set;
typedef struct isl_schedule isl_schedule; typedef struct isl_multi_pw_aff isl_multi_pw_aff;
typedef struct isl_id isl_id; typedef struct isl_val isl_val; typedef struct isl_printer isl_printer;
struct isl_args; typedef struct pet_options pet_options;
typedef struct pet_loc pet_loc; typedef struct pet_expr pet_expr; typedef struct pet_tree pet_tree;
struct pet_stmt { pet_loc *loc; isl_set *domain; pet_tree *body; unsigned n_arg; pet_expr **args; };
struct pet_type { char *name; char *definition; };
struct pet_array { isl_set *context; isl_set *extent; isl_set *value_bounds; char *element_type;
  int element_is_record; int element_size; int live_out; int uniquely_defined; int declared;
  int exposed; int outer; };
struct pet_implication { int satisfied; isl_map *extension; };
struct pet_independence { isl_union_map *filter; isl_union_set *local; };
typedef struct pet_scop { pet_loc *loc; isl_set *context; isl_set *context_value; isl_schedule *schedule;
  int n_type; struct pet_type **types; int n_array; struct pet_array **arrays;
  int n_stmt; struct pet_stmt **stmts; int n_implication; struct pet_implication **implications;
  int n_independence; struct pet_independence **independences; } pet_scop;

pet_options *pet_options_new_with_defaults(void);
int pet_options_parse(pet_options *options, int argc, char **argv, unsigned flags);
extern struct isl_args pet_options_args;
int pet_transform_C_source(isl_ctx *ctx, const char *input, void *out,
   isl_printer *(*transform)(isl_printer *printer, pet_scop *scop, void *user), void *user);
pet_scop *pet_scop_extract_from_C_source(isl_ctx *ctx, const char *filename, const char *function);
pet_scop *pet_scop_free(pet_scop *);
pet_scop *pet_scop_align_params(pet_scop *);
unsigned pet_loc_get_start(pet_loc *); unsigned pet_loc_get_end(pet_loc *); int pet_loc_get_line(pet_loc *);
int pet_stmt_is_kill(struct pet_stmt *);
int pet_tree_get_type(pet_tree *); pet_tree *pet_tree_free(pet_tree *);
pet_expr *pet_tree_expr_get_expr(pet_tree *);
pet_expr *pet_tree_decl_get_var(pet_tree *); pet_expr *pet_tree_decl_get_init(pet_tree *);
int pet_expr_get_type(pet_expr *); int pet_expr_get_n_arg(pet_expr *);
pet_expr *pet_expr_get_arg(pet_expr *, int); pet_expr *pet_expr_free(pet_expr *);
int pet_expr_op_get_type(pet_expr *); const char *pet_op_str(int); int pet_expr_get_type_size(pet_expr *);
int pet_expr_is_affine(pet_expr *);
int pet_expr_access_is_read(pet_expr *); int pet_expr_access_is_write(pet_expr *);
isl_id *pet_expr_access_get_id(pet_expr *);
isl_multi_pw_aff *pet_expr_access_get_index(pet_expr *);
const char *pet_expr_call_get_name(pet_expr *); isl_val *pet_expr_int_get_val(pet_expr *);
char *pet_expr_double_get_str(pet_expr *);
isl_printer *pet_expr_print(pet_expr *, isl_printer *);

isl_ctx *isl_ctx_alloc_with_options(struct isl_args *args, void *options);
int isl_options_set_on_error(isl_ctx *, int);
const char *isl_ctx_last_error_msg(isl_ctx *);
char *isl_set_to_str(isl_set *); char *isl_map_to_str(isl_map *); char *isl_schedule_to_str(isl_schedule *);
char *isl_multi_pw_aff_to_str(isl_multi_pw_aff *); char *isl_val_to_str(isl_val *);
const char *isl_id_get_name(isl_id *); isl_id *isl_id_free(isl_id *);
isl_multi_pw_aff *isl_multi_pw_aff_free(isl_multi_pw_aff *); isl_val *isl_val_free(isl_val *);
isl_printer *isl_printer_to_str(isl_ctx *); isl_printer *isl_printer_free(isl_printer *);
char *isl_printer_get_str(isl_printer *);

void free(void *); void *fopen(const char *, const char *); int fclose(void *);
"""

# The enumerations of pet.h, in its order.
EXPRESSIONS = ("access", "call", "cast", "int", "double", "op")
OPERATORS = (
    "add_assign sub_assign mul_assign div_assign and_assign xor_assign or_assign assign add sub mul div mod "
    "shl shr eq ne le ge lt gt minus post_inc post_dec pre_inc pre_dec address_of assume kill and xor or not "
    "land lor lnot cond"
).split()
TREES = tuple("expr block break continue decl decl_init if if_else for infinite_loop while return".split())

# Only libpet knows where to look for the others, and not for all of them: they are loaded before it, by their path.
NEEDED_FIRST = ("libgmp", "libtinfo", "libffi", "libLLVM", "libclang-cpp")

ISL_ON_ERROR_CONTINUE = 1

Json = dict[str, Any]


class Pet:
    """libpet, loaded, with its options set.

    Attributes:
        ffi: cffi's side of it.
        pet: libpet.
        isl: libpet's isl.
        c: the C library.
        ctx: the context of all its objects.
    """

    def __init__(self, request: Json):
        self.ffi = cffi.FFI()
        self.ffi.cdef(DECLARATIONS)
        folder = request["libraries"]
        self._loaded = [self._load(folder, name) for name in NEEDED_FIRST if self._files(folder, name)]
        self.isl = self._load(folder, "libisl") if self._files(folder, "libisl") else self.ffi.dlopen("libisl.so")
        self.pet = self._load(folder, "libpet")
        self.c = self.ffi.dlopen(None)
        headers = [request["headers"]] if request["headers"] else []
        words = ["pet", *(f"-I{f}" for f in (*request["include"], *headers)), *(f"-D{d}" for d in request["define"])]
        self._words = [self.ffi.new("char[]", os.fsencode(word)) for word in words]  # pet keeps pointers to them
        options = self.pet.pet_options_new_with_defaults()
        self.pet.pet_options_parse(options, len(words), self.ffi.new("char*[]", [*self._words, self.ffi.NULL]), 1)
        self.ctx = self.isl.isl_ctx_alloc_with_options(self.ffi.addressof(self.pet, "pet_options_args"), options)
        self.isl.isl_options_set_on_error(self.ctx, ISL_ON_ERROR_CONTINUE)

    def first(self, path: str, function: str) -> list[Json]:
        """The first scop of a function, if it has one."""
        scop = self.pet.pet_scop_extract_from_C_source(self.ctx, os.fsencode(path), function.encode())
        return [] if scop == self.ffi.NULL else [self._scop(self.pet.pet_scop_align_params(scop))]

    def all(self, path: str) -> list[Json]:
        """Every scop of a file."""
        found: list[Json] = []
        problems: list[BaseException] = []

        def take(printer: Any, scop: Any, user: Any) -> Any:
            try:
                found.append(self._scop(self.pet.pet_scop_align_params(scop)))
            except BaseException as problem:  # none may cross the frames of C
                problems.append(problem)
            return printer

        callback = self.ffi.callback("isl_printer *(isl_printer *, pet_scop *, void *)", take)
        sink = self.c.fopen(b"/dev/null", b"w")
        self.pet.pet_transform_C_source(self.ctx, os.fsencode(path), sink, callback, self.ffi.NULL)
        self.c.fclose(sink)
        for problem in problems:
            raise problem
        return found

    def complaint(self) -> str | None:
        """Return the last message of isl."""
        return self._borrowed(self.isl.isl_ctx_last_error_msg(self.ctx))

    def _scop(self, scop: Any) -> Json:
        """A pet_scop; it is freed."""
        pet = self.pet
        result = {
            "line": pet.pet_loc_get_line(scop.loc),
            "span": [pet.pet_loc_get_start(scop.loc), pet.pet_loc_get_end(scop.loc)],
            "context": self._text("set", scop.context),
            "schedule": self._text("schedule", scop.schedule),
            "arrays": [self._array(scop.arrays[i]) for i in range(scop.n_array)],
            "statements": [self._statement(scop.stmts[i]) for i in range(scop.n_stmt)],
            "implications": [self._implication(scop.implications[i]) for i in range(scop.n_implication)],
        }
        pet.pet_scop_free(scop)
        return result

    def _implication(self, implication: Any) -> Json:
        return {"value": implication.satisfied, "extension": self._text("map", implication.extension)}

    def _array(self, array: Any) -> Json:
        return {
            "extent": self._text("set", array.extent),
            "type": self._borrowed(array.element_type),
            "size": array.element_size,
            "record": bool(array.element_is_record),
            "declared": bool(array.declared),
            "exposed": bool(array.exposed),
        }

    def _statement(self, statement: Any) -> Json:
        return {
            "domain": self._text("set", statement.domain),
            "line": self.pet.pet_loc_get_line(statement.loc),
            "kill": bool(self.pet.pet_stmt_is_kill(statement)),
            "body": self._tree(statement.body),
            "guards": [self._expression(statement.args[i]) for i in range(statement.n_arg)],
        }

    def _tree(self, tree: Any) -> Json:
        """The body of a statement. Only trees of one expression are asked about further: others are refused."""
        pet = self.pet
        kind = TREES[pet.pet_tree_get_type(tree)]
        result: Json = {"kind": kind}
        if kind == "expr":
            result["value"] = self._owned_expression(pet.pet_tree_expr_get_expr(tree))
        elif kind == "decl_init":
            result["variable"] = self._owned_expression(pet.pet_tree_decl_get_var(tree))
            result["value"] = self._owned_expression(pet.pet_tree_decl_get_init(tree))
        return result

    def _owned_expression(self, expression: Any) -> Json:
        result = self._expression(expression)
        self.pet.pet_expr_free(expression)
        return result

    def _expression(self, expression: Any) -> Json:
        pet = self.pet
        kind = EXPRESSIONS[pet.pet_expr_get_type(expression)]
        arguments = [
            self._owned_expression(pet.pet_expr_get_arg(expression, i))
            for i in range(pet.pet_expr_get_n_arg(expression))
        ]
        # Of a floating-point literal it has no type size, and of affine expressions and integers none that is set.
        result: Json = {"kind": kind, "bits": 0 if kind == "double" else pet.pet_expr_get_type_size(expression)}
        result["arguments"] = arguments
        fill: dict[str, Callable[[Any, Json], None]] = {"access": self._access, "cast": self._cast}
        if kind in fill:
            fill[kind](expression, result)
        elif kind == "call":
            result["name"] = self._borrowed(pet.pet_expr_call_get_name(expression))
        elif kind == "int":
            result["text"] = self._text("val", pet.pet_expr_int_get_val(expression), owned=True)
        elif kind == "double":
            result["text"] = self._given(pet.pet_expr_double_get_str(expression))
        else:
            result["op"] = OPERATORS[pet.pet_expr_op_get_type(expression)]
        return result

    def _access(self, expression: Any, result: Json) -> None:
        pet = self.pet
        result["index"] = self._text("multi_pw_aff", pet.pet_expr_access_get_index(expression), owned=True)
        if pet.pet_expr_is_affine(expression):
            result["kind"] = "affine"
            return
        name = pet.pet_expr_access_get_id(expression)
        result["array"] = self._borrowed(self.isl.isl_id_get_name(name))
        self.isl.isl_id_free(name)
        result["reads"] = bool(pet.pet_expr_access_is_read(expression))
        result["writes"] = bool(pet.pet_expr_access_is_write(expression))

    def _cast(self, expression: Any, result: Json) -> None:
        """The type of a cast; libpet has no function that gives it, but prints it: `cast: double`."""
        printer = self.pet.pet_expr_print(expression, self.isl.isl_printer_to_str(self.ctx))
        printed = self._given(self.isl.isl_printer_get_str(printer)) or ""
        self.isl.isl_printer_free(printer)
        result["type"] = re.split("[,\n]", printed.split("cast:", 1)[1])[0].strip()

    def _text(self, kind: str, value: Any, owned: bool = False) -> str | None:
        """An isl object as text; one that is `owned` is freed."""
        if value == self.ffi.NULL:
            return None
        text = self._given(getattr(self.isl, f"isl_{kind}_to_str")(value))
        if owned:
            getattr(self.isl, f"isl_{kind}_free")(value)
        return text

    def _given(self, text: Any) -> str | None:
        """A C string that is ours to free."""
        result = self._borrowed(text)
        self.c.free(text)
        return result

    def _borrowed(self, text: Any) -> str | None:
        return None if text == self.ffi.NULL else str(self.ffi.string(text).decode(errors="replace"))

    def _load(self, folder: str, name: str) -> Any:
        return self.ffi.dlopen(self._files(folder, name)[0])

    @staticmethod
    def _files(folder: str, name: str) -> list[str]:
        """The files of a library: `libpet.so.10`, `libpet-0f3a.so.10.0.0`."""
        return sorted(glob.glob(os.path.join(glob.escape(folder), f"{name}[-.]*")))


def main() -> None:
    """Answer one request."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    request = json.load(sys.stdin)
    try:
        pet = Pet(request)
    except (OSError, AttributeError) as problem:  # no library, or none of pet's
        json.dump({"unloadable": str(problem)}, sys.stdout)
        return
    scops = pet.first(request["path"], request["function"]) if request["function"] else pet.all(request["path"])
    json.dump({"scops": scops, "isl": pet.complaint()}, sys.stdout)


if __name__ == "__main__":
    main()
