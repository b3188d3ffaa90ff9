"""Pictures of schedule trees: loops and statements of the drawing as text are there, boxes lie inside of theirs."""

from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

import polyad as pa
from polyad import islx
from polyad.schedule.tree.draw import Forest, forest

SVG = "{http://www.w3.org/2000/svg}"


def network() -> pa.Kernel:
    T, B, H = pa.sizes("T B H")
    x, W = pa.placeholder((T, B, H), name="x"), pa.placeholder((H, H), name="W")

    def step(h: pa.Tensor, x_t: pa.Tensor) -> tuple[pa.Tensor, pa.Tensor]:
        h = pa.tanh(x_t + h @ W)
        return h, h

    _, hs = pa.scan(step, pa.numpy.zeros_like(x[0]), x)
    loss = pa.numpy.sum(hs * hs)
    return pa.compile([loss, pa.grad(loss, W)], [x, W])


def single() -> pa.Kernel:
    x = pa.placeholder((), name="x")
    return pa.compile(x * x, [x])


def long() -> pa.Kernel:
    """Many nests, each after the one before."""
    n = pa.sizes("n")
    x = total = pa.placeholder((n,), name="x")
    for _ in range(6):
        total = total * pa.numpy.sum(total)
    return pa.compile(total, [x])


@dataclass(frozen=True)
class Rect:
    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def rects(picture: str) -> list[Rect]:
    """All boxes, without the ground and those of the legend."""
    found = [node.attrib for node in ElementTree.fromstring(picture).iter(f"{SVG}rect")]
    found = [r for r in found if r.get("rx") == "5"]
    return [Rect(float(r["x"]), float(r["y"]), float(r["width"]), float(r["height"])) for r in found]


def lines(trees: Forest) -> list[str]:
    return [text for line, below in trees for text in (line, *lines(below))]


def forest_of(schedule: pa.Schedule) -> Forest:
    with islx.LOCK:
        return forest(schedule.isl.get_domain(), schedule._tree())


@pytest.mark.parametrize("kernel", [network, single, long])
def test_all_loops_and_statements_are_there(kernel):
    schedule = kernel().schedule
    shown = " ".join(texts(schedule.svg())).replace(" · ", " for ")
    for line in lines(forest_of(schedule)):
        assert line in shown


@pytest.mark.parametrize("kernel", [network, long])
def test_boxes_are_apart_or_one_in_the_other(kernel):
    boxes = rects(kernel().schedule.svg())
    assert len(boxes) > 5
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            corners = [
                one.holds(x, y) for x in (other.x, other.x + other.width) for y in (other.y, other.y + other.height)
            ]
            assert all(corners) or not any(corners)


def test_the_whole_lies_on_the_page_and_is_no_strip():
    picture = long().schedule.svg()
    _, _, width, height = map(float, ElementTree.fromstring(picture).attrib["viewBox"].split())
    for box in rects(picture):
        assert box.x + box.width <= width and box.y + box.height <= height
    assert 1 / 3 < width / height < 3


def test_the_way_back_has_its_colour():
    picture = network().schedule.svg()
    assert "backwards" in texts(picture) and "one matrix product" in texts(picture)
    assert "backwards" not in texts(single().schedule.svg())


def test_notebooks_show_it():
    schedule = single().schedule
    assert schedule._repr_svg_() == schedule.svg()


def test_empty_programs_have_a_picture():
    x = pa.placeholder((0,), name="x")
    assert rects(pa.compile(x + 1.0, [x]).schedule.svg()) is not None
