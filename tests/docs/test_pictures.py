"""The picture of the README is the one that its blocks write."""

from pathlib import Path

from tests.docs.test_code_blocks import ROOT, blocks_of, is_run

PICTURE = ROOT / "docs" / "lstm_grad.svg"


def test_the_picture_of_the_readme(tmp_path: Path, monkeypatch, update_golden):
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of((ROOT / "README.md").read_text(encoding="utf-8")):
        if is_run(block):
            exec(compile(block.text, "README.md", "exec"), space)
    drawn = Path(PICTURE.name).read_text(encoding="utf-8")
    if update_golden:
        PICTURE.write_text(drawn, encoding="utf-8")
    assert drawn == PICTURE.read_text(encoding="utf-8")
