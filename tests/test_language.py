"""What is not English is noticed and left as it is; what may be English is compressed."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from command_line import run
from invariants import is_subsequence, words

import laconic
from laconic import LaconicError, LanguageWarning, MisfitError
from laconic.bulk import LocalEngine
from laconic.bulk import run as run_job
from laconic.compress_job import TEXT, CompressJob
from laconic.language.detect import find_language, is_english
from laconic.language.languages import ENGLISH, FOREIGN

OTHERS = {
    "de": "Guten Morgen zusammen, das Treffen ist auf Dienstag verschoben, weil der Raum nicht frei ist.",
    "nl": "De vergadering is verplaatst naar dinsdag omdat de zaal nog niet vrij is.",
    "fr": "La réunion a été déplacée à mardi parce que la salle n'est pas encore libre.",
    "es": "La reunión se ha aplazado hasta el martes porque la sala todavía no está libre.",
    "pt": "A reunião foi adiada para terça-feira porque a sala ainda não está livre.",
    "it": "La riunione è stata spostata a martedì perché la sala non è ancora libera.",
    "sv": "Mötet har flyttats till tisdag eftersom rummet inte är ledigt ännu.",
    "da": "Mødet er flyttet til tirsdag, fordi lokalet ikke er ledigt endnu.",
    "fi": "Kokous on siirretty tiistaiksi, koska huone ei ole vielä vapaa.",
    "pl": "Spotkanie zostało przeniesione na wtorek, ponieważ sala nie jest jeszcze wolna.",
    "cs": "Schůzka byla přesunuta na úterý, protože místnost ještě není volná.",
    "hu": "A megbeszélést keddre halasztották, mert a terem még nem szabad.",
    "tr": "Toplantı salı gününe ertelendi çünkü oda henüz boş değil ve çok küçük.",
    "ro": "Întâlnirea a fost mutată pe marți pentru că sala nu este încă liberă.",
    "id": "Rapat itu dipindahkan ke hari Selasa karena ruangan tersebut belum kosong dan tidak bisa dipakai.",
    "vi": "Cuộc họp đã được dời sang thứ ba vì phòng vẫn chưa trống.",
    "ru": "Встреча перенесена на вторник, потому что комната ещё занята.",
    "el": "Η συνάντηση μεταφέρθηκε για την Τρίτη γιατί η αίθουσα δεν είναι ελεύθερη.",
    "ar": "تم تأجيل الاجتماع إلى يوم الثلاثاء لأن القاعة ليست متاحة بعد.",
    "he": "הפגישה נדחתה ליום שלישי כי החדר עדיין לא פנוי.",
    "hi": "बैठक मंगलवार तक टाल दी गई है क्योंकि कमरा अभी खाली नहीं है।",
    "zh": "会议推迟到星期二，因为房间还没有空出来。",
    "ja": "部屋がまだ空いていないので、会議は火曜日に延期されました。",
    "ko": "방이 아직 비어 있지 않아서 회의가 화요일로 연기되었습니다.",
}

ENGLISH_TEXTS = [
    "",
    "Rain fell.",
    "MAN BITES DOG IN LA",
    "Maria de la Cruz, José de los Santos, Juan del Río",
    "Der Spiegel, Die Zeit, Le Monde, El País",
    "Los Angeles Lakers beat San Antonio Spurs",
    "SELECT id, name FROM users WHERE age > 30 ORDER BY name;",
    "for i in range(10): print(i)",
    "Vinícius Júnior, Éder Militão und David Alaba",
    "résumé, café, naïve, façade",
    "x = α + β, y = γ",
    "Müller et al. (2019), Zeitschrift für Physik, pp. 3-5",
    "Her favourite dish is crème brûlée, à la carte or not.",
    "He said: «je ne sais pas pourquoi», and left the room with his friends.",
    "The Chinese word 你好 means hello.",
    "123 456 !!! ---",
    "https://example.org/de/la/que.html",
]


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_noticed_in_any_case_of_letters(language: str) -> None:
    assert not is_english(OTHERS[language])
    assert not is_english(OTHERS[language].upper())
    assert not is_english(OTHERS[language] * 100)


def test_the_language_is_named_where_its_words_say_it() -> None:
    for code in ("de", "nl", "fr", "es", "it", "fi", "pl", "hu", "tr"):
        assert find_language(OTHERS[code]) == code
    assert find_language(OTHERS["ru"]) == "Cyrillic"


def test_words_that_english_has_too_are_evidence_beside_others() -> None:
    """Of the small words only "nach" is German alone: "den", "hat" and "am" are English, "der" and "von" in names."""
    text = "Der Vorstand hat am Dienstag den Haushalt von vierzigtausend Euro nach langer Debatte genehmigt."
    assert find_language(text) == "de"
    assert find_language("Mr van den Berg had a hat, and I am not the one of us over there.") is None


@pytest.mark.parametrize("text", ENGLISH_TEXTS)
def test_what_may_be_english_is_taken_for_it(text: str) -> None:
    assert is_english(text)


def test_words_of_both_are_in_both_lists_and_lists_have_words_alone() -> None:
    for listed in (ENGLISH, *FOREIGN.values()):
        assert all(len(word) > 1 and word.isalpha() and word == word.lower() for word in listed)
    assert {"die", "war", "also", "come"} <= ENGLISH


def test_a_foreign_text_is_left_as_it_is_with_a_warning(compressor: laconic.Compressor) -> None:
    text = f" {OTHERS['de']}  {OTHERS['de']} "
    english = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
    with pytest.warns(LanguageWarning, match=r"'Guten Morgen .* left as it is: .*language='any'$"):
        left, other = compressor.batch([text, english], 3, explain=True)
    assert left.foreign
    assert [c.text for sentence in left for c in sentence] == [OTHERS["de"]] * 2
    assert [text[start:end] for sentence in left for c in sentence for start, end in c.spans] == [OTHERS["de"]] * 2
    assert left.to_dict()["foreign"] is True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert other == compressor.compress(english, 3, explain=True)
        compressed = compressor.compress(text, language="any")
    assert not compressed.foreign
    assert len(str(compressed)) < len(text.strip())


def test_a_budget_holds_for_a_foreign_text_too(compressor: laconic.Compressor) -> None:
    text = OTHERS["fr"] + " " + OTHERS["fr"]
    with pytest.warns(LanguageWarning):
        assert str(compressor.compress(text, max_chars=len(text))) == text
    with pytest.raises(
        MisfitError, match=f"its {len(text)} characters are not within the budget: allow them, or"
    ) as found:
        compressor.compress(text, max_chars=len(text) - 1)
    assert found.value.shortest == len(text)
    with pytest.raises(MisfitError, match=f"its {len(OTHERS['fr'])} characters"):
        compressor.compress(text, max_chars=40, each_sentence=True)
    with pytest.warns(LanguageWarning):
        near = compressor.compress(text, max_chars=100, nearest=True)
    assert near.compressions[0].excess == len(text) - 100
    with pytest.raises(LaconicError, match="it has words that must go"):
        compressor.compress(text, drop=["mardi"])
    assert len(str(compressor.compress(text, max_chars=100, language="any"))) <= 100


def test_an_unknown_language_is_refused(compressor: laconic.Compressor) -> None:
    for call in (compressor.compress, compressor.fit):
        with pytest.raises(LaconicError, match="unknown language 'de': use en, or any"):
            call("Rain fell.", language="de", max_chars=50)


def test_foreign_blocks_of_a_document_are_printed_as_they_are_or_not_at_all(compressor: laconic.Compressor) -> None:
    english = "The council met in the old town hall, which was cold. Its members voted to close the bridge."
    document = f"{OTHERS['es']}\n\n{english}\n\n{OTHERS['nl']}"
    printed = set()
    for most in range(60, len(document), 20):
        with pytest.warns(LanguageWarning):
            found = compressor.fit(document, max_chars=most)
        for paragraph in found.text.split("\n\n"):
            foreign = paragraph in (OTHERS["es"], OTHERS["nl"])
            assert foreign or is_subsequence(words(paragraph), words(english))
            printed.add(foreign)
    assert printed == {False, True}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compressor.fit(document, max_chars=100, language="any")


def test_the_command_line_and_bulk_jobs_say_so(tmp_path: Path) -> None:
    done = run("compress", OTHERS["de"])
    assert (done.stdout.strip(), done.returncode) == (OTHERS["de"], 0)
    assert done.stderr.startswith("laconic: warning: 'Guten Morgen")
    assert run("compress", "--language", "any", OTHERS["de"]).stderr == ""
    lines = tmp_path / "lines.txt"
    lines.write_text(f"{OTHERS['de']}\nRain fell in Spain on Monday.\n", encoding="utf-8")
    job = CompressJob(model="small")
    summary = run_job(job, [lines], [TEXT], tmp_path / "out.jsonl", engine=LocalEngine(1))
    assert summary.counts == {"not English": 1}
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    assert first["foreign"] is True
    assert "problem" not in first
    assert "foreign" not in second
