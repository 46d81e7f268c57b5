"""Word pieces, judged by the library that the vocabulary was made for."""

from pathlib import Path

import pytest

from laconic import LaconicError
from laconic._core import WordPieces
from laconic.model_folders import model_folder
from laconic.network.pieces import MAX_PIECES_OF_WORD, UNKNOWN, Pieces
from laconic.parse.words import WordTokeniser

VOCABULARY = model_folder() / "vocabulary.txt"
DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces(VOCABULARY)


@pytest.fixture(scope="module")
def reference():
    """The same by the library `tokenizers`."""
    tokenizers = pytest.importorskip("tokenizers")
    words = VOCABULARY.read_text(encoding="utf-8").splitlines()
    model = tokenizers.models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def test_words_of_all_our_texts_are_cut_as_the_library_cuts_them(pieces: Pieces, reference) -> None:
    files = [path for path in DATA.rglob("*") if path.suffix in (".jsonl", ".md", ".txt")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    words = {text[a:b] for a, b in zip(*WordTokeniser().spans(text), strict=True)}
    assert len(words) > 5000
    assert [word for word in sorted(words) if pieces.cut(word) != reference(word)] == []


def test_whole_texts_are_cut_as_the_library_cuts_them(pieces: Pieces, reference) -> None:
    for path in (DATA / "markdown").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert pieces.cut(text) == reference(text), path.name


def test_characters_of_every_kind_are_cut_as_the_library_cuts_them(pieces: Pieces, reference) -> None:
    # Letters, accents, signs, ideographs, Hangul, private use, emoji; what newer versions of Unicode added is left out.
    ranges = ((0, 0x530), (0x1E00, 0x2000), (0x2000, 0x2200), (0x3000, 0x3100), (0x4DF0, 0x4E20), (0x9F00, 0x9FA0))
    ranges += ((0xABF0, 0xAC80), (0xE000, 0xE010), (0xF900, 0xF910), (0xFB00, 0xFB10), (0xFF00, 0xFFF0))
    ranges += ((0x1F600, 0x1F640), (0x20000, 0x20010), (0x1D400, 0x1D420))
    wrong = []
    for first, last in ranges:
        for char in map(chr, range(first, last)):
            wrong += [text for text in (char, f"a{char}b", f"{char}{char}") if pieces.cut(text) != reference(text)]
    assert wrong == []


ODD = ["ΟΔΟΣ", "İstanbul", "naïve", "e\u0301", "x" * 100, "x" * 101, "é" * 100, "é" * 101, "", " ", "a\u200bb", "##s"]


@pytest.mark.parametrize("word", ODD)
def test_odd_words_are_cut_as_the_library_cuts_them(pieces: Pieces, reference, word: str) -> None:
    assert pieces.cut(word) == reference(word)
    (found, _), *none = pieces.read([word])
    assert not none
    assert 1 <= len(found) <= MAX_PIECES_OF_WORD


def test_a_word_is_cut_into_its_longest_pieces_from_the_left() -> None:
    vocabulary = WordPieces("un\nunder\n##stand\n##st\n##and\n##a\na\n")
    assert len(vocabulary) == 7
    assert vocabulary.cut(["understand", "a", "unstand"], -1) == [1, 2, 6, 0, 2]


def test_a_word_of_which_a_part_is_unknown_is_unknown() -> None:
    vocabulary = WordPieces("a\r\n##b\r\n")
    assert vocabulary.cut(["ab", "abc", "b", ""], -1) == [0, 1, -1, -1]


def test_half_a_surrogate_pair_is_no_letter(pieces: Pieces) -> None:
    assert pieces.cut("a\ud800b") == pieces.cut("ab")
    assert pieces.read(["\ud800"])[0][0] == (UNKNOWN,)


def test_a_vocabulary_that_is_damaged_or_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(LaconicError, match="cannot read the vocabulary"):
        Pieces(tmp_path / "none.txt")
    (tmp_path / "v.txt").write_text("a\n")
    with pytest.raises(LaconicError, match="is damaged"):
        Pieces(tmp_path / "v.txt", sha256="0" * 64)
