"""The model file: what ships, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from laconic import LaconicError
from laconic.model_folders import MAXENT_NAME, maxent_folder
from laconic.score import Model
from laconic.score.model import MAGIC


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(maxent_folder() / MAXENT_NAME, tmp_path / MAXENT_NAME))


def test_shipped_model_has_a_header_and_a_card() -> None:
    model = Model.load(maxent_folder())
    assert model.header["language"] == "en"
    assert 0 < model.rho < 1
    assert model.beam >= 1
    assert model.header["scores"]["topdown"]["tree_f1"] > 0.79
    assert "laconic train" in (maxent_folder() / "CARD.md").read_text(encoding="utf-8")
    assert (maxent_folder() / MAXENT_NAME).stat().st_size < 25_000_000


def test_flipped_bit_is_found(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    with pytest.raises(LaconicError, match="damaged"):
        Model.load(copy)


@pytest.mark.parametrize("keep", [0, 5, 11, 40, 5000, -1000])
def test_truncated_file_is_found(copy: Path, keep: int) -> None:
    copy.write_bytes(copy.read_bytes()[:keep])
    with pytest.raises(LaconicError, match=r"damaged|cannot open"):
        Model.load(copy)


def test_edited_header_is_found(copy: Path) -> None:
    data = copy.read_bytes()
    size = int.from_bytes(data[8:12], "little")
    header = json.loads(data[12 : 12 + size])
    header["rho"] = 0.01
    copy.write_bytes(data[:12] + json.dumps(header).encode().ljust(size) + data[12 + size :])
    with pytest.raises(LaconicError, match="damaged"):
        Model.load(copy)


def test_other_file_is_no_model(copy: Path) -> None:
    copy.write_bytes(b"PK\x03\x04" * 100)
    with pytest.raises(LaconicError, match="no laconic model"):
        Model.load(copy)


@pytest.mark.parametrize("field", ["format", "features"])
def test_model_of_another_version_is_refused_by_name(copy: Path, field: str) -> None:
    data = copy.read_bytes()
    size = int.from_bytes(data[8:12], "little")
    header = json.loads(data[12 : 12 + size])
    header[field] = 99
    text = json.dumps(header).encode().ljust(size)
    copy.write_bytes(MAGIC + size.to_bytes(4, "little") + text[:size] + data[12 + size :])
    with pytest.raises(LaconicError, match=rf"does not fit this version of laconic \({field} 99"):
        Model.load(copy)


def test_missing_model_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(LaconicError, match="there is no model at"):
        Model.load(tmp_path / "nothing")
