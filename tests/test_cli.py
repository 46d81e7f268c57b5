"""The command line as a user meets it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import EXAMPLE, LACONIC, refused, run

import laconic


def test_compress_prints_ranks_scores_rates_and_texts() -> None:
    lines = run("compress", EXAMPLE, "-k", "3").stdout.splitlines()
    assert [line.split()[0] for line in lines if line] == ["1", "2", "3"]
    assert all(line.endswith(".") for line in lines if line)


def test_lines_in_lines_out_in_order() -> None:
    texts = [f"Storm number {i} hit the coast of Spain on Monday, police said." for i in range(40)]
    texts.insert(7, "")
    done = run("compress", stdin="\n".join(texts).encode())
    lines = done.stdout.splitlines()
    assert len(lines) == 41
    assert lines[7] == ""
    del lines[7]
    assert [line.split()[2] for line in lines] == [str(i) for i in range(40)]
    assert done.stderr == ""  # no progress bar in a pipe


def test_jsonl_has_one_object_for_each_text_with_usable_spans() -> None:
    done = run("compress", "-k", "3", "--format", "jsonl", stdin=f"{EXAMPLE}\n\nRain fell. Snow fell.\n".encode())
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [len(each["sentences"]) for each in objects] == [1, 0, 2]
    for compression in objects[0]["sentences"][0]["compressions"]:
        kept = " ".join(EXAMPLE[start:end] for start, end in compression["spans"])
        assert kept.lower().replace(" ", "") == compression["text"].lower().replace(" ", "")


def test_json_is_one_array_even_when_empty() -> None:
    assert len(json.loads(run("compress", "--format", "json", EXAMPLE, "Rain fell.").stdout)) == 2
    assert json.loads(run("compress", "--format", "json", stdin=b"").stdout) == []


def test_files_are_read_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfRain fell on Monday.\r\n")
    (tmp_path / "b.txt").write_text("Snow fell on Monday.")
    done = run("compress", "-f", str(tmp_path / "a.txt"), "-f", str(tmp_path / "b.txt"))
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["Rain", "Snow"]


def test_first_result_appears_before_the_last_line_is_read() -> None:
    with subprocess.Popen([*LACONIC, "compress"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"Rain fell in Spain on Monday.\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Rain fell")
        process.stdin.write(b"Snow fell in Spain on Monday.\n")
        process.stdin.close()
        assert process.stdout.readline().startswith(b"Snow fell")
        assert process.wait(timeout=60) == 0


def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("Rain fell in Spain on Monday.\n" * 4000)
    command = [*LACONIC, "compress", "-f", str(lines)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) != 2
        assert process.stderr.read() == b""


def test_reader_that_leaves_while_the_writer_goes_on_does_no_harm() -> None:
    with subprocess.Popen([*LACONIC, "compress"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"Rain fell on Monday.\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"Snow fell on Monday.\n")
        process.stdin.flush()
        assert process.wait(timeout=60) in (0, 1)
        assert process.stderr.read() == b""


def test_full_disk_and_closed_input_are_named() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*LACONIC, "compress", EXAMPLE], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"laconic: No space left on device: output: check space and permissions\n"
    for arguments in ("compress", "compress -f -", "fit - --max-chars 20", "tree -"):
        command = f"{sys.executable} -m laconic {arguments} <&-"
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
        assert done.returncode == 2
        assert b"laconic: standard input is closed" in done.stderr
        assert done.stderr.count(b"\n") == 1


def test_a_command_that_does_not_go_on_is_only_interrupted() -> None:
    process = subprocess.Popen([*LACONIC, "compress"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)  # fmt: skip
    with process:
        process.stdin.write(f"{EXAMPLE}\n".encode())
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b"laconic: interrupted\n"
    assert process.returncode == 130


def test_output_is_utf8_in_any_locale() -> None:
    done = subprocess.run([*LACONIC, "compress", "É fell."], capture_output=True, check=False,
                          env={**os.environ, "PYTHONIOENCODING": "ascii"})  # fmt: skip
    assert done.stdout.decode() == "É fell.\n"


def test_progress_is_shown_on_a_terminal_and_results_go_where_they_should(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("Rain fell in Spain on Monday.\n" * 50)
    terminal, side = pty.openpty()
    with (tmp_path / "out.txt").open("wb") as out:
        subprocess.run([*LACONIC, "compress", "-f", str(lines)], stdout=out, stderr=side, check=True, timeout=120)
        os.close(side)
        shown = os.read(terminal, 1 << 16)
        os.close(terminal)
        assert b"compressing" in shown
    assert (tmp_path / "out.txt").read_text() == "Rain fell in Spain.\n" * 50


def test_invalid_utf8_and_control_characters_on_standard_input() -> None:
    done = run("compress", "--format", "jsonl", stdin=b"Rain \xff\xfe fell\x00 in Spain on Mon\x1bday.\n\x00\n")
    assert done.returncode == 0
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert objects[0]["text"] == "Rain \ufffd\ufffd fell\x00 in Spain on Mon\x1bday."


def test_node_subset_scorer_and_rho_change_the_answer(maxent_compressor: laconic.Compressor) -> None:
    printed = set()
    for flags, options in {
        "": {},
        "--method nss": {"method": "nss"},
        "--rho 1": {"rho": 1},
        "--rho .1": {"rho": 0.1},
    }.items():
        found = run("compress", EXAMPLE, "--scorer", "maxent", *flags.split()).stdout
        assert found == f"{maxent_compressor.compress(EXAMPLE, **options)[0][0].text}\n"
        printed.add(found)
    assert len(printed) == 4


def test_model_parser_scorer_and_order_are_options() -> None:
    printed = {}
    for options in [
        "",
        "--model small",
        "--order score",
        "--order expected-f1",
        "--scorer maxent",
        "--parser spacy",
        "--parser spacy --scorer maxent",
        "--threads 2",
    ]:
        done = run("compress", EXAMPLE, "-k", "8", "--level", "headline", *options.split())
        assert (done.returncode, done.stderr) == (0, ""), options
        printed[options] = [line.split(maxsplit=3) for line in done.stdout.splitlines() if line]
        assert [line[0] for line in printed[options]] == [str(rank) for rank in range(1, 9)]
        assert "was arrested" in printed[options][0][3]
    scores = [float(score) for _, score, _, _ in printed["--order score"]]
    assert scores == sorted(scores, reverse=True)
    assert printed["--order expected-f1"] == printed[""] != printed["--order score"]
    assert [line[3] for line in printed["--threads 2"]] == [line[3] for line in printed[""]]
    for other in ("--model small", "--scorer maxent"):
        assert printed[other] != printed[""]
    (tree,) = json.loads(run("tree", EXAMPLE, "--format", "json", "--model", "small").stdout)
    (paper,) = json.loads(run("tree", EXAMPLE, "--format", "json", "--parser", "spacy", "--scorer", "maxent").stdout)
    assert [node["text"] for node in tree["nodes"]] == [node["text"] for node in paper["nodes"]]
    assert [edge["p_ret"] for edge in tree["edges"]] != [edge["p_ret"] for edge in paper["edges"]]


def test_long_sentence_is_compressed_with_one_line_of_warning() -> None:
    done = run("compress", "The man " + "who saw the dog that bit " * 100 + "left.")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert done.stderr.startswith("laconic: warning: the sentence 'The man who saw")
    assert done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compress", "-k", "0", "x"], "k is 0"),
        (["compress", "-k", "-2", "x"], "k is -2"),
        (["compress", "-k", "many", "x"], "valid int"),
        (["compress", "-k", "99999999999999999999999", "x"], "at most 100000"),
        (["compress", "--method", "magic", "x"], "unknown method 'magic'"),
        (["compress", "--format", "xml", "x"], "unknown format 'xml'"),
        (["compress", "--rho", "7", "x"], "rho is 7.0"),
        (["compress", "--parser", "nope", "x"], "cannot load the parser 'nope'"),
        (["compress", "--parser", "rich", "x"], "cannot load the parser 'rich'"),
        (["compress", "--scorer", "nope", "x"], "unknown scorer 'nope': use network or maxent"),
        (["compress", "--order", "nope", "x"], "unknown order 'nope': use one of score, expected-f1"),
        (["compress", "--order", "score", "--method", "ilp", "x"], "order does not go with the method ilp"),
        (["compress", "--threads", "0", "x"], "threads is 0: give a whole number, 1 or more"),
        (["compress", "--model", "large", "x"], "or one of default, small, or leave the model out"),
        (["tree", "--scorer", "nope", "x"], "unknown scorer 'nope'"),
        (["evaluate", "x", "--order", "nope"], "unknown order 'nope'"),
        (["evaluate", "x", "--baseline", "nope"], "there is no model at nope"),
        (["compress", "-f", "/"], "/ is a folder: give files of it"),
        (["compress", "--model", "/nonexistent", "x"], "there is no model at"),
        (["compress", "-f", "/nonexistent"], "cannot read /nonexistent"),
        (["compress", "-f", "a", "x"], "give one or the other"),
        (["compress", "--frobnicate"], "No such option"),
        (["frobnicate"], "No such command"),
        (["tree", "--format", "png", "x"], "unknown format 'png'"),
        (["bench", "/nonexistent.jsonl"], "cannot read the corpus"),
        (["bench", "/nonexistent.txt"], "cannot read /nonexistent.txt"),
        (["evaluate", "/nonexistent.jsonl"], "cannot read the corpus"),
        (["evaluate", "/nonexistent.jsonl", "--format", "xml"], "unknown format 'xml'"),
        (["evaluate", "x", "--method", "magic"], "unknown method 'magic': use one of topdown, nss, ilp"),
        (["score", "x", "y", "--format", "html"], "unknown format 'html'"),
        (["score", "x", "y", "--samples", "0"], "0 samples"),
        (["score", "x", "y", "--seed", "-1"], "the seed is -1"),
        (["reproduce", "--dev", "/nonexistent.jsonl", "--out", "/tmp/x"], "cannot read /nonexistent.jsonl"),
        (["reproduce", "--dev", "x", "--out", "x", "--train", "a", "--model", "b"], "both --train and --model"),
        (["compress", "--method", "ilp", "--max-chars", "0", "x"], "give a whole number of characters"),
        (["train", "/nonexistent.jsonl", "--dev", "/nonexistent.jsonl", "--out", "/tmp/x"], "cannot read the corpus"),
    ],
)
def test_bad_input_is_one_line_with_a_remedy_and_status_2(arguments: list[str], message: str) -> None:
    assert message in refused(*arguments)


def test_tree_of_nothing_is_nothing() -> None:
    assert run("tree", "").stdout.strip() == ""
    assert json.loads(run("tree", "", "--format", "json").stdout) == []


def test_tree_in_all_formats() -> None:
    text = run("tree", EXAMPLE).stdout
    assert "was arrested" in text
    (tree,) = json.loads(run("tree", EXAMPLE, "--format", "json").stdout)
    assert {edge["label"] for edge in tree["edges"]} >= {"root", "in", "at", "ccomp"}
    assert all(0 <= edge["p_ret"] <= 1 for edge in tree["edges"])
    assert run("tree", EXAMPLE, "--format", "svg").stdout.lstrip().startswith("<svg")


def test_bench_and_evaluate_print_their_tables(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    item = {"sentence": EXAMPLE, "compression": "The man who robbed a bank in Arizona was arrested at his home."}
    data.write_text((json.dumps(item) + "\n") * 30, encoding="utf-8")
    table = run("bench", str(data)).stdout
    for stage in ["parse (laconic-default-6", "transform", "root edges", "decode", "realise"]:
        assert stage in table
    assert "glue" not in table
    table = run("bench", str(data), "--parser", "spacy", "--scorer", "maxent", "--ilp").stdout
    for stage in ["parse (en_core_web_sm", "glue to arrays", "glue: ", "spent in the solver"]:
        assert stage in table
    paper = ["--parser", "spacy", "--scorer", "maxent"]
    for options, methods in [([], ["topdown"]), (paper, ["topdown", "nss"]), (["--baseline", "maxent"], None)]:
        table = json.loads(run("evaluate", str(data), *options, "--format", "json").stdout)
        assert [system["name"] for system in table["systems"]] == (methods or ["baseline", "topdown"])
        scores = {score["name"]: score for score in table["systems"][-1]["scores"]}
        assert scores["tree F1"]["sentences"] == 30
        assert 0.5 < scores["tree F1"]["value"] <= 1.0
        assert table["notes"][0].startswith("ceiling of the trees: word F1 1.0000")


def test_evaluate_compares_all_methods_in_all_formats_and_writes_items(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    items = [
        {"sentence": EXAMPLE, "compression": "The man who robbed a bank in Arizona was arrested."},
        {"sentence": "Rain fell on Monday, forecasters in Oslo said.", "compression": "Rain fell."},
    ]
    data.write_text("\n".join(json.dumps(item) for item in items), encoding="utf-8")
    methods = ["--method", "topdown", "--method", "nss", "--method", "ilp"]
    written = tmp_path / "items.jsonl"
    text = run("evaluate", str(data), *methods, "-k", "2", "--items", str(written), "--first", "1").stdout
    for line in ["ilp, difference from topdown", "tree_f1|edges:unlabelled|root:yes", "|bs:1000|seed:12345"]:
        assert line in text
    (item,) = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    assert {each["system"] for each in item["compressions"]} == {"extractive", "topdown", "nss", "ilp"}
    latex = run("evaluate", str(data), *methods, "--format", "latex", "--types").stdout
    assert r"\begin{tabular}{lccccccccccc}" in latex
    assert "word_f1|words:types" in latex
    short = run("evaluate", str(data), "--method", "ilp", "--max-chars", "3").stdout
    assert "ilp: nothing fits for 2 of 2 sentences: an empty output is scored" in short


@contextmanager
def reproducing(folder: Path, items: int, stage: str) -> Iterator[tuple[subprocess.Popen, list[str]]]:
    """A reproduction that has come to a stage, and its arguments."""
    data = folder / "dev.jsonl"
    item = {"sentence": EXAMPLE, "compression": "The man who robbed a bank in Arizona was arrested at his home."}
    data.write_text((json.dumps(item) + "\n") * items, encoding="utf-8")
    arguments = ["reproduce", "--dev", str(data), "--out", str(folder / "report")]
    with subprocess.Popen([*LACONIC, *arguments], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith(stage))
        yield process, arguments


def test_interrupted_reproduce_resumes_after_a_kill(tmp_path: Path) -> None:
    """SIGKILL in the middle of the times: what was done is not done again."""
    with reproducing(tmp_path, 40, "[4/5]") as (killed, arguments):
        killed.kill()
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("already done") == 4
    assert (tmp_path / "report" / "index.html").exists()


MIXED = "Rain fell on Monday.\nSnow fell on Friday.\nThe administration's representatives telephoned.\nHail fell.\n"


@pytest.mark.parametrize("method", ["topdown", "ilp"])
def test_one_line_that_does_not_fit_leaves_the_others_in_their_places(method: str) -> None:
    done = run("compress", "--method", method, "--max-chars", "10", stdin=MIXED.encode())
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["Rain fell.", "Snow fell.", "", "Hail fell."]
    (line,) = done.stderr.splitlines()
    assert line.startswith('laconic: line 3: no compression of "The administration\'s representatives telephoned."')


def test_json_has_an_object_with_the_error_in_its_place() -> None:
    done = run("compress", "--max-chars", "10", "--format", "jsonl", stdin=MIXED.encode())
    assert done.returncode == 1
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in each for each in found] == [False, False, True, False]
    assert found[2]["shortest"] == len("Representatives telephoned.")
    assert found[2]["text"] == "The administration's representatives telephoned."
    assert f"has {found[2]['shortest']};" in found[2]["error"]
    done = run("compress", "--max-chars", "10", "--format", "json", stdin=MIXED.encode())
    assert json.loads(done.stdout) == found


def test_strict_stops_at_the_first_line_that_is_refused() -> None:
    done = run("compress", "--max-chars", "10", "--strict", stdin=MIXED.encode())
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["Rain fell.", "Snow fell."]
    assert "laconic: line 3: no compression" in done.stderr
    done = run("compress", "--max-chars", "10", "--strict", "--format", "json", stdin=MIXED.encode())
    assert len(json.loads(done.stdout)) == 2


def test_of_several_files_the_one_is_named_that_has_the_line(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(MIXED, encoding="utf-8")
    done = run("compress", "--max-chars", "10", "-f", str(tmp_path / "a.txt"), "-f", str(tmp_path / "b.txt"))
    first, second = done.stderr.splitlines()
    assert "a.txt, line 3: no compression" in first
    assert "b.txt, line 3: no compression" in second
    assert len(done.stdout.splitlines()) == 8


def test_a_text_that_is_refused_is_named_by_its_number() -> None:
    done = run("compress", "--max-chars", "10", "The administration telephoned.", "Hail fell.")
    assert done.returncode == 1
    assert done.stdout == "\nHail fell.\n"
    assert "laconic: text 1: no compression" in done.stderr


def test_what_is_nearest_says_how_far_it_is_off() -> None:
    done = run("compress", "--max-chars", "10", "--nearest", "--format", "jsonl", stdin=MIXED.encode())
    assert done.returncode == 0
    found = [json.loads(line)["sentences"][0]["compressions"][0] for line in done.stdout.splitlines()]
    assert [each.get("excess", 0) for each in found] == [0, 0, len(found[2]["text"]) - 10, 0]


@pytest.mark.parametrize("option", [["--first", "0"], ["--samples", "100001"], ["--seed", "-1"], ["-k", "0"]])
def test_evaluate_refuses_bad_options_at_once(tmp_path: Path, option: list[str]) -> None:
    assert option[1] in refused("evaluate", str(tmp_path / "never-read.jsonl"), *option)


def test_evaluate_refuses_an_unwritable_file_for_items_at_once(tmp_path: Path) -> None:
    assert "check space and permissions" in refused("evaluate", "never-read", "--items", str(tmp_path / "no" / "items"))


def test_interrupt_is_said_with_what_to_do(tmp_path: Path) -> None:
    with reproducing(tmp_path, 200, "[3/5]") as (process, _):
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest.splitlines()[-1].startswith("laconic: interrupted: start reproduce again to resume it")
    assert "Traceback" not in rest


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("laconic ")
    assert "compress" in run("--help").stdout
