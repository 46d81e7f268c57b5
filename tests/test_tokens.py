"""Budgets in tokens: of any callable, of a tokenizer.json, and of tiktoken."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import laconic
from laconic import LaconicError
from laconic.limits.tokens import WordCounts, find_counter

SENTENCE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."


def test_a_callable_counts_or_lists(compressor: laconic.Compressor) -> None:
    for tokenizer in (str.split, lambda text: len(text.split())):
        for most in range(4, 18):
            (found,) = compressor.compress(SENTENCE, 5, max_tokens=most, tokenizer=tokenizer)
            assert all(len(each.text.split()) <= most for each in found)
            assert [each.text for each in found] == [
                each.text for each in compressor.compress(SENTENCE, 5, max_words=most)[0]
            ]


def test_a_tokenizer_that_adds_tokens_of_its_own(compressor: laconic.Compressor) -> None:
    def tokenizer(text: str) -> list[str]:
        return ["[CLS]", *text.split(), "[SEP]"]

    # Between the levels what is asked for depends on the share of the sentence, and so on how much that is.
    how = {"k": 5, "level": "headline"}
    (plain,) = compressor.compress(SENTENCE, max_tokens=8, tokenizer=str.split, **how)
    (found,) = compressor.compress(SENTENCE, max_tokens=10, tokenizer=tokenizer, **how)
    assert [each.text for each in found] == [each.text for each in plain]


def test_a_minimum_of_tokens(compressor: laconic.Compressor) -> None:
    (found,) = compressor.compress(SENTENCE, 5, min_tokens=9, max_tokens=11, tokenizer=str.split)
    assert all(9 <= len(each.text.split()) <= 11 for each in found)


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    """A tokenizer trained on the spot, in the format of the Hugging Face library."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        [SENTENCE.lower()] * 3, trainers.BpeTrainer(vocab_size=300, show_progress=False, special_tokens=[])
    )
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    return path


def test_a_file_of_the_hugging_face_library(compressor: laconic.Compressor, vocabulary: Path) -> None:
    count = find_counter(vocabulary)
    assert count(SENTENCE) > len(SENTENCE.split())
    for most in (12, 25, 40):
        (found,) = compressor.compress(SENTENCE, 5, max_tokens=most, tokenizer=str(vocabulary))
        assert found
        assert all(count(each.text) <= most for each in found)


def test_an_encoding_of_tiktoken(compressor: laconic.Compressor) -> None:
    """A real encoding, but for its vocabulary, which tiktoken would download."""
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([i]): i for i in range(256)}
    for pair in ("th", "he", " t", "er", "in", "ar", "st", "an", " b", " r", " h", " w", "the", " the"):
        ranks[pair.encode()] = len(ranks)
    encoding = tiktoken.Encoding(
        "tiny",
        pat_str=r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        mergeable_ranks=ranks,
        special_tokens={},
    )
    (found,) = compressor.compress(SENTENCE, 3, max_tokens=30, tokenizer=encoding.encode_ordinary)
    assert all(len(encoding.encode_ordinary(each.text)) <= 30 for each in found)


def test_without_tiktoken_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(LaconicError, match=r'pip install "laconic\[tokens\]"'):
        find_counter("o200k_base_that_nobody_asked_for_before")


def test_what_the_tokenizer_raises_comes_through(compressor: laconic.Compressor) -> None:
    def broken(text: str) -> int:
        raise ZeroDivisionError(text)

    with pytest.raises(ZeroDivisionError):
        compressor.compress(SENTENCE, max_tokens=5, tokenizer=broken)


def test_a_slow_tokenizer_is_asked_for_few_texts(compressor: laconic.Compressor) -> None:
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return len(re.findall(r"\w{1,4}|[^\w\s]", text))

    text = " ".join(f"{SENTENCE[:-1]}, who was {age} years old." for age in range(30, 36))
    found = compressor.compress(text, max_tokens=90, tokenizer=count)
    assert count(found.compressions[0].text) <= 90
    assert len(set(asked)) > 0.9 * len(asked)  # none twice
    assert sum(map(len, asked)) < 25 * len(text)


@pytest.mark.parametrize("step", [1, 4])
def test_what_is_within_its_bounds_is_always_counted(step: int) -> None:
    counts = WordCounts(lambda text: -(-len(text) // step))
    whole = "aa bb cc dd ee"
    assert counts.measure("aa", whole, (0, 0), 0, 3) == -(-2 // step)
    assert counts.measure(whole, whole, (0, 0), 0, 100) == -(-14 // step)
    # Of a tokenizer that adds up over the words nothing else is counted.
    known: list[str] = []

    def count(text: str) -> int:
        known.append(text)
        return len(text.split())

    sparing = WordCounts(count)
    assert [sparing.measure(print_, whole, (0, 0), 2, 3) for print_ in ("aa", "aa bb cc dd", "aa dd")] == [1, 4, 2]
    assert "aa dd" in known
    assert "aa bb cc dd" not in known
