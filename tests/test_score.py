"""`laconic score`: the outputs of other programs against references, in every form, with every error."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import command_line
import pytest
from command_line import LACONIC, refused

from laconic import LaconicError
from laconic.metrics import Series, score_outputs

SENTENCES = [
    "Heavy rain fell in Spain on Monday, officials said.",
    "Two banks in Leeds were robbed late on Friday.",
    "The company said it will open a shop in Porto.",
]
REFERENCES = ["Rain fell in Spain.", "Two banks were robbed.", "The company will open a shop."]
OUTPUTS = ["Heavy rain fell in Spain.", "Two banks were robbed.", ""]
F1 = (8 / 9 + 1 + 0) / 3
RATE = (25 / 51 + 22 / 46 + 0) / 3


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    items = [{"sentence": s, "compression": c} for s, c in zip(SENTENCES, REFERENCES, strict=True)]
    return write_lines(path, items)


def write_lines(path: Path, values: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def write_text(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def scores(references: Path, outputs: Path, **options: Any) -> dict[str, Series]:
    ((name, series),) = score_outputs(references, [outputs], **options)
    assert name == str(outputs)
    return {each.name: each for each in series}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return command_line.run("score", *map(str, arguments))


# References


def test_text_against_a_corpus(corpus: Path, tmp_path: Path) -> None:
    found = scores(corpus, write_text(tmp_path / "out.txt", OUTPUTS))
    assert list(found) == ["word F1", "exact", "rate", "rate, micro"]
    assert found["word F1"].value == pytest.approx(F1)
    assert found["exact"].value == pytest.approx(1 / 3)
    assert found["rate"].value == pytest.approx(RATE)
    assert found["rate, micro"].value == pytest.approx(47 / 143)
    assert "|gold:text|" in found["word F1"].signature
    assert "|n:3|" in found["word F1"].signature


def test_the_references_themselves_score_one(corpus: Path) -> None:
    found = scores(corpus, corpus)
    assert found["word F1"].value == found["exact"].value == 1


@pytest.mark.parametrize("name", ["references.txt", "references.txt.gz"])
def test_text_against_text_with_and_without_sources(tmp_path: Path, name: str) -> None:
    references = write_text(tmp_path / name, [*REFERENCES, "", " "])
    if name.endswith(".gz"):
        references.write_bytes(gzip.compress(references.read_bytes()))
    outputs = write_text(tmp_path / "out.txt", OUTPUTS)
    assert list(scores(references, outputs)) == ["word F1", "exact"]
    sources = write_text(tmp_path / "sources.txt", [*SENTENCES, ""])
    found = scores(references, outputs, sources=sources)
    assert found["word F1"].value == pytest.approx(F1)
    assert found["rate"].value == pytest.approx(RATE)


def test_corpus_of_tokens_alone_and_official_corpus(tmp_path: Path) -> None:
    tokens = {"tokens": ["rain", "fell", "today", "."], "tag": ["NN", "VBD", "NN", "."], "keep": [1, 1, 0, 1]}
    lossy = write_lines(tmp_path / "lossy.jsonl", [tokens])
    outputs = write_text(tmp_path / "out.txt", ["Rain fell."])
    assert scores(lossy, outputs)["exact"].value == 1
    record = {"graph": {"sentence": "Rain fell today."}, "compression": {"text": "Rain fell."}}
    released = tmp_path / "released.json"
    released.write_text(json.dumps(record, indent=2) + "\n\n", encoding="utf-8")
    assert scores(released, outputs)["exact"].value == 1


def test_gold_is_what_is_printed_or_what_is_kept(tmp_path: Path) -> None:
    tokens = SENTENCES[2].replace(".", " .").split()
    item = {"sentence": SENTENCES[2], "compression": REFERENCES[2], "tokens": tokens,
            "keep": [0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1]}  # fmt: skip
    corpus = write_lines(tmp_path / "corpus.jsonl", [item])
    outputs = write_text(tmp_path / "out.txt", ["It will open a shop."])
    assert scores(corpus, outputs)["word F1"].value == pytest.approx(8 / 11)
    kept = scores(corpus, outputs, gold="kept")["word F1"]
    assert kept.value == 1
    assert "|gold:kept|" in kept.signature


def test_types_count_each_word_once(tmp_path: Path) -> None:
    references = write_text(tmp_path / "references.txt", ["The man saw the dog."])
    outputs = write_text(tmp_path / "out.txt", ["Man saw the dog."])
    assert scores(references, outputs)["word F1"].value == pytest.approx(8 / 9)
    by_type = scores(references, outputs, types=True)["word F1, types"]
    assert by_type.value == 1
    assert "|words:types|" in by_type.signature


# Outputs


FORMS: dict[str, list[Any]] = {
    "strings": OUTPUTS,
    "lists": [[text] for text in OUTPUTS[:2]] + [[]],
    "compression": [{"compression": text} for text in OUTPUTS],
    "compressions": [{"compressions": [text] if text else []} for text in OUTPUTS],
    "compressions with text": [{"compressions": [{"text": text, "score": -1}]} for text in OUTPUTS],
    "laconic compress": [{"text": "…", "sentences": [{"compressions": [{"text": t}]}] if t else []} for t in OUTPUTS],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out"])
def test_outputs_in_every_form_score_the_same(corpus: Path, tmp_path: Path, form: str, name: str) -> None:
    outputs = write_lines(tmp_path / name, FORMS[form])
    if name.endswith(".gz"):
        outputs.write_bytes(gzip.compress(outputs.read_bytes()))
    found = scores(corpus, outputs)
    assert found["word F1"].value == pytest.approx(F1)
    assert found["rate"].value == pytest.approx(RATE)
    assert len(found) == 4


def test_best_of_k_counts_the_best_result_of_each_sentence(corpus: Path, tmp_path: Path) -> None:
    outputs = write_lines(tmp_path / "out.jsonl", [["Rain.", REFERENCES[0], "Spain."], [OUTPUTS[1]], ""])
    found = scores(corpus, outputs)
    assert found["word F1"].value == pytest.approx((2 / 5 + 1 + 0) / 3)
    best = found["word F1, best of 3"]
    assert best.value == pytest.approx(2 / 3)
    assert best.signature.startswith("best_of_3_word_f1|")


def test_results_of_several_sentences_are_joined_rank_by_rank(tmp_path: Path) -> None:
    references = write_text(tmp_path / "references.txt", ["Rain fell. Snow fell."])
    sentences = [
        {"compressions": [{"text": "Rain."}, {"text": "Rain fell."}]},
        {"compressions": [{"text": "Snow fell."}]},
    ]
    found = scores(references, write_lines(tmp_path / "out.jsonl", [{"text": "…", "sentences": sentences}]))
    assert found["word F1"].value == pytest.approx(6 / 7)
    assert found["word F1, best of 2"].value == 1


def test_what_laconic_compress_prints_can_be_scored(corpus: Path, tmp_path: Path) -> None:
    sentences = write_text(tmp_path / "sentences.txt", SENTENCES)
    command = [*LACONIC, "compress", "-f", str(sentences)]
    for name, options in [
        ("out.txt", []),
        ("out.jsonl", ["--format", "jsonl"]),
        ("k.jsonl", ["--format", "jsonl", "-k", "3"]),
    ]:
        printed = subprocess.run([*command, *options], capture_output=True, check=True, timeout=120).stdout
        (tmp_path / name).write_bytes(printed)
    plain, best = scores(corpus, tmp_path / "out.txt"), scores(corpus, tmp_path / "k.jsonl")
    for name, series in scores(corpus, tmp_path / "out.jsonl").items():
        assert series.value == plain[name].value == best[name].value
    assert best["word F1, best of 3"].value >= best["word F1"].value


def test_text_in_quotation_marks_or_brackets_is_no_json(tmp_path: Path) -> None:
    references = write_text(tmp_path / "references.txt", REFERENCES)
    for first in ['"Rain fell in Spain."', "[1] Rain fell in Spain.", '"Rain" fell in Spain.']:
        outputs = write_text(tmp_path / "out.txt", [first, *REFERENCES[1:]])
        assert scores(references, outputs)["word F1"].value > 0.95


def test_other_line_separators_marks_and_carriage_returns(tmp_path: Path) -> None:
    references = write_text(tmp_path / "references.txt", REFERENCES)
    text = "\ufeffRain fell\u2028 in\x0b Spain.\r\nTwo banks\x85 were robbed.\r\nThe company will open a shop."
    (tmp_path / "out.txt").write_bytes(text.encode())
    assert scores(references, tmp_path / "out.txt")["exact"].value == 1


# Alignment


def test_blank_lines_at_the_end_count_only_where_they_are_needed(corpus: Path, tmp_path: Path) -> None:
    for extra in (0, 1, 5):
        outputs = write_text(tmp_path / "out.txt", [*OUTPUTS[:2], "", *[""] * extra])
        assert scores(corpus, outputs)["word F1"].value == pytest.approx(F1)
    short = write_text(tmp_path / "out.txt", OUTPUTS[:2])
    with pytest.raises(LaconicError, match=r"out\.txt has 2 lines but .*corpus\.jsonl has 3 references"):
        score_outputs(corpus, [short])


def test_records_that_are_left_out_do_not_shift_the_outputs(tmp_path: Path) -> None:
    items: list[dict[str, Any]] = [
        {"sentence": s, "compression": c} for s, c in zip(SENTENCES, REFERENCES, strict=True)
    ]
    corpus = write_lines(tmp_path / "corpus.jsonl", [{**items[0], "suspect": 1}, items[0], {"tokens": []}, *items[1:]])
    by_item = scores(corpus, write_text(tmp_path / "out.txt", OUTPUTS))
    by_record = scores(corpus, write_text(tmp_path / "all.txt", ["x", OUTPUTS[0], "y", *OUTPUTS[1:]]))
    assert by_item["word F1"].value == by_record["word F1"].value == pytest.approx(F1)
    assert by_item["rate"].value == by_record["rate"].value
    broken = tmp_path / "all.jsonl"
    broken.write_text('"x"\n"y"\n"z"\n{}\n"v"\n', encoding="utf-8")
    with pytest.raises(LaconicError, match=r"all\.jsonl:4: not an output"):
        score_outputs(corpus, [broken])
    with pytest.raises(LaconicError, match=r"out\.txt has 4 lines but .* has 3 usable references in 5 records"):
        score_outputs(corpus, [write_text(tmp_path / "out.txt", ["x"] * 4)])


# Errors


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("oops", "Expecting value"),
        ("", "Expecting value"),
        ("{}", "it has no 'compression'"),
        ("3", "3 is no output"),
        ("null", "None is no output"),
        ('{"compression": 3}', "3 is no text"),
        ("[3]", "3 is no text"),
        ('[["x"]]', "['x'] is no text"),
        ('{"sentences": 3}', "'int' object is not iterable"),
        ('{"compressions": [{"txt": "x"}]}', "it has no 'text'"),
        ('{"compressions": [{"text": null}]}', "None is no text"),
        ('{"sentences": [{}]}', "it has no 'compressions'"),
        ("[" * 100_000, "maximum recursion depth"),
    ],
)
def test_malformed_lines_are_named(corpus: Path, tmp_path: Path, line: str, reason: str) -> None:
    outputs = tmp_path / "out.jsonl"
    outputs.write_text(f'"Rain fell."\n{line}\n"A shop."\n', encoding="utf-8")
    with pytest.raises(LaconicError) as caught:
        score_outputs(corpus, [outputs])
    assert str(caught.value).startswith(f"{outputs}:2: not an output ({reason}")
    assert "a line is a JSON string" in str(caught.value)


def test_unreadable_files_are_named(corpus: Path, tmp_path: Path) -> None:
    outputs = write_text(tmp_path / "out.txt", OUTPUTS)
    whole = gzip.compress(corpus.read_bytes() * 50)
    truncated = tmp_path / "cut.jsonl.gz"
    truncated.write_bytes(whole[:-20])
    no_gzip = write_text(tmp_path / "no.gz", OUTPUTS)
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Rain fell.\nCafé closed.\n\n".encode("latin-1"))
    for path, reason in [
        (truncated, "cannot read .*cut.jsonl.gz .*end-of-stream.*whole"),
        (no_gzip, "cannot read .*no.gz .*gzip"),
        (tmp_path, "cannot read .*Is a directory"),
        (tmp_path / "none", "cannot read .*No such file"),
        (latin, r"latin\.txt:2: not UTF-8 .*convert the file to UTF-8"),
    ]:
        with pytest.raises(LaconicError, match=reason):
            score_outputs(corpus, [outputs, path])
        with pytest.raises(LaconicError, match=reason):
            score_outputs(path, [outputs])


def test_malformed_corpora_and_empty_references_are_named(tmp_path: Path) -> None:
    outputs = write_text(tmp_path / "out.txt", OUTPUTS)
    broken = write_text(tmp_path / "broken.jsonl", ['{"sentence": "Rain fell."'])
    with pytest.raises(LaconicError, match=r"broken\.jsonl:1: not an item of a compression corpus"):
        score_outputs(broken, [outputs])
    nothing = write_lines(tmp_path / "nothing.jsonl", [{"tokens": []}])
    with pytest.raises(LaconicError, match=r"nothing\.jsonl has no usable item"):
        score_outputs(nothing, [outputs])
    with pytest.raises(LaconicError, match=r"empty\.txt is empty"):
        score_outputs(write_text(tmp_path / "empty.txt", ["", ""]), [outputs])


def test_options_that_do_not_fit_are_refused(corpus: Path, tmp_path: Path) -> None:
    outputs = write_text(tmp_path / "out.txt", OUTPUTS)
    references = write_text(tmp_path / "references.txt", REFERENCES)
    sources = write_text(tmp_path / "sources.txt", SENTENCES)
    for wanted, options, message in [
        (corpus, {"sources": sources}, "is a corpus and has the sentences itself"),
        (references, {"gold": "kept"}, "is plain text and does not say what is kept"),
        (references, {"gold": "silver"}, "unknown gold 'silver': use one of kept, text"),
        (references, {"sources": write_text(tmp_path / "s.txt", SENTENCES[:2])}, "s.txt has 2 lines but"),
        (references, {"sources": write_text(tmp_path / "b.txt", ["x", "", "y"])}, "b.txt:2: no sentence"),
    ]:
        with pytest.raises(LaconicError, match=message):
            score_outputs(wanted, [outputs], **options)


# The command


def test_command_prints_scores_tests_and_signatures(corpus: Path, tmp_path: Path) -> None:
    good, bad = write_text(tmp_path / "good.txt", REFERENCES), write_text(tmp_path / "bad.txt", OUTPUTS)
    done = run(corpus, good, bad, "--samples", "100", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"word F1 +1\.0000  \[1\.0000, 1\.0000\]", done.stdout)
    assert f"{bad}, difference from {good}" in done.stdout
    assert re.search(r"word F1 +-0\.3704 .* p = 0\.[45]", done.stdout)
    assert re.search(r"^word F1: word_f1\|words:multiset\|.*\|bs:100\|seed:7$", done.stdout, re.M)
    assert "no rate" not in done.stdout


def test_command_prints_json_and_latex_and_says_when_there_is_no_rate(tmp_path: Path) -> None:
    references = write_text(tmp_path / "references.txt", REFERENCES)
    outputs = write_text(tmp_path / "out.txt", OUTPUTS)
    table = json.loads(run(references, outputs, "--types", "--samples", "10", "--format", "json").stdout)
    assert table["systems"][0]["scores"][0]["value"] == pytest.approx(F1)
    assert "no rate" in table["notes"][0]
    latex = run(references, outputs, "--samples", "10", "--format", "latex").stdout
    assert r"\begin{tabular}{lcc}" in latex
    assert "% no rate: the references are plain text; give their sentences with --sources FILE" in latex
    assert "no rate" in run(references, outputs, "--samples", "10").stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gold", "silver"], "unknown gold 'silver'"),
        (["--sources", "/nonexistent"], "leave out the sources"),
    ],
)
def test_bad_options_are_one_line_with_a_remedy_and_status_2(
    corpus: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    outputs = write_text(tmp_path / "out.txt", OUTPUTS)
    assert message in refused("score", str(corpus), str(outputs), *options)


def test_command_needs_outputs(corpus: Path) -> None:
    done = run(corpus)
    assert done.returncode == 2
    assert "outputs" in done.stderr.lower()
