"""The options, each defined once.

A class is a group of options. It types keywords (`**options: Unpack[Options]`); everything else is in the `Option`
annotation of a field. To add an option, add a field here, and the code that uses it (docs/development.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, TypedDict

from laconic.decode.choices import MAX_K, Method, Order
from laconic.document.format import Format
from laconic.document.relevance import Relevance
from laconic.foreign import Language
from laconic.levels import Level
from laconic.model_folders import MAXENT, NETWORK
from laconic.options.option import Flag, Option
from laconic.options.values import (
    KINDS,
    check_callable,
    check_kinds,
    check_markers,
    check_model,
    check_number_of_results,
    check_overhead,
    check_parser,
    check_query,
    check_tokenizer,
    check_words,
    read_span,
)
from laconic.parse import Parser

Span: TypeAlias = tuple[int, int]

_ANY: Final = "any length"
_NO_MINIMUM: Final = {"fit": "a document has a maximum: leave out minima and nearest"}
_SHARE: Final = "give a share of the characters, above 0 and up to 1"


class ResultOptions(TypedDict, total=False):
    """The number of results."""

    k: Annotated[
        int,
        Option(
            "Compressions for each sentence.",
            more="Within a budget, for the text; 1 to 100,000.",
            default=1,
            least=1,
            most=MAX_K,
            check=check_number_of_results,
            flag="-k",
            metavar="N",
        ),
    ]


class SearchOptions(TypedDict, total=False):
    """How to search for compressions without a budget."""

    level: Annotated[
        Level | str | None,
        Option(
            "How much is left: light, medium, short or headline.",
            more="About 84, 64 and 45% of the characters, each within the one before, or a headline "
            "([guidelines.md](guidelines.md)). The scorer `maxent`, `nss` and `ilp` support headlines only.",
            unset="medium; the budget, if any",
            metavar="NAME",
        ),
    ]
    method: Annotated[
        Method | str,
        Option(
            "How to search: topdown; nss, with the node subset scorer; ilp, the baseline, by a solver.",
            more='`nss` (paper §3) and `ilp` (§4) score with `maxent`; `ilp` needs `pip install "laconic[ilp]"`.',
            default=Method.TOPDOWN,
            metavar="NAME",
        ),
    ]
    rho: Annotated[
        float | None,
        Option(
            "At the level headline: threshold between deleting (0) and retaining (1).",
            more="It applies to the probability of deletion: a smaller one deletes more.",
            unset="tuned with the model",
            least=0,
            most=1,
            remedy="give a threshold between 0 (delete most) and 1 (delete least)",
            metavar="R",
        ),
    ]
    order: Annotated[
        Order | str | None,
        Option(
            "Which of the best comes first: by its score, or by expected-f1, its expected F1.",
            more="`expected-f1` (the networks' default for headlines) ranks by the agreement with all likely results.",
            formerly={"reader": "score"},
            unset="the model's",
            metavar="NAME",
        ),
    ]


def _most(help: str, units: str, more: str = "") -> Option:  # noqa: A002
    """The definition of a maximum length."""
    remedy = f"give a whole number of {units}, 1 or more"
    return Option(help, more=more, unset=_ANY, least=1, remedy=remedy, metavar="N")


def _least(help: str, units: str) -> Option:  # noqa: A002
    """The definition of a minimum length."""
    remedy = f"give a whole number of {units}, 0 or more"
    return Option(help, unset=_ANY, least=0, remedy=remedy, metavar="N", instead=_NO_MINIMUM)


class MaximumOptions(TypedDict, total=False):
    """The maximum length of a compression; several maxima may be given at once."""

    max_chars: Annotated[
        int | None, _most("Most characters.", "characters", "As Python counts them: code points of the print.")
    ]
    max_words: Annotated[int | None, _most("Most words.", "words", "There is white space between them.")]
    max_tokens: Annotated[int | None, _most("Most tokens of the tokenizer.", "tokens")]
    tokenizer: Annotated[
        str | Path | Callable[[str], Any] | None,
        Option(
            "What counts tokens: a name that tiktoken knows, or the path of a tokenizer.json.",
            more="Names are those of encodings or models (`o200k_base`, `gpt-4o`; extra `tokens`, which downloads the "
            "vocabulary when it is first used). In Python also a callable that returns a number, or a list of tokens.",
            check=check_tokenizer,
            metavar="NAME",
            pattern=r"^(?!.*\.json$)[\w.:-]+$",
        ),
    ]
    max_bytes: Annotated[int | None, _most("Most bytes of UTF-8.", "bytes", "For channels that count so.")]
    max_utf16: Annotated[
        int | None, _most("Most units of UTF-16, as some channels count.", "UTF-16 units", "An emoji is two.")
    ]
    rate: Annotated[
        float | None,
        Option(
            "Greatest share of the characters.",
            more="Rounded down.",
            unset=_ANY,
            above=0,
            most=1,
            remedy=_SHARE,
            metavar="R",
        ),
    ]


class MinimumOptions(TypedDict, total=False):
    """The minimum length of a compression, with or without a maximum in the same unit, and what to do if none fits."""

    min_chars: Annotated[int | None, _least("Fewest characters.", "characters")]
    min_words: Annotated[int | None, _least("Fewest words.", "words")]
    min_tokens: Annotated[int | None, _least("Fewest tokens of the tokenizer.", "tokens")]
    min_bytes: Annotated[int | None, _least("Fewest bytes of UTF-8.", "bytes")]
    min_utf16: Annotated[int | None, _least("Fewest units of UTF-16.", "UTF-16 units")]
    min_rate: Annotated[
        float | None,
        Option(
            "Least share of the characters.",
            more="Rounded up.",
            unset=_ANY,
            above=0,
            most=1,
            remedy=_SHARE,
            metavar="R",
            instead=_NO_MINIMUM,
        ),
    ]
    nearest: Annotated[
        bool,
        Option(
            "Where nothing fits, take the shortest there is (or the longest).",
            more="In JSON and in Python `excess` says by how much it is over (below zero: under).",
            default=False,
            instead=_NO_MINIMUM,
        ),
    ]


class WordOptions(TypedDict, total=False):
    """Words to keep or to drop."""

    keep: Annotated[
        Sequence[str | Span] | None,
        Option(
            "Words and phrases that must stay.",
            more="Whole words, in any case of letters unless it has a capital. In Python a list of phrases and of "
            "`(start, end)` spans.",
            default=(),
            check=check_words,
            metavar="TEXT",
            flags=(Flag("keep_span", "Characters START:END that must stay.", "START:END", read_span),),
        ),
    ]
    drop: Annotated[
        Sequence[str | Span] | None,
        Option(
            "Words and phrases that must go.",
            default=(),
            check=check_words,
            metavar="TEXT",
            flags=(Flag("drop_span", "Characters START:END that must go.", "START:END", read_span),),
        ),
    ]
    keep_all: Annotated[
        Sequence[str] | None,
        Option(
            "Kinds of words that must stay: names, numbers, quotes, negations, or an entity type such as PERSON.",
            more="Entity types are `PERSON`, `ORG`, `GPE`, `DATE`, `MONEY`, ….",
            default=(),
            check=check_kinds,
            among=KINDS,
            metavar="KIND",
        ),
    ]
    drop_all: Annotated[
        Sequence[str] | None,
        Option("Kinds of words that must go.", default=(), check=check_kinds, among=KINDS, metavar="KIND"),
    ]


class MarkerOptions(TypedDict, total=False):
    """Markers in the text itself."""

    protect: Annotated[
        Sequence[str] | None,
        Option(
            "Two markers: text between them is printed as it is.",
            more="The markers, such as `'[[ ]]'`, are removed, and offsets count without them.",
            check=check_markers,
            size=2,
            metavar="MARKERS",
            parse=str.split,
            instead={
                "fit": "protect does not go with a document: name what must stay with keep",
                "spacy": "protect takes markers out of a text, and the text of a Doc stays as it is: leave it out, and "
                "give the words to keep",
            },
        ),
    ]


class LimitOptions(MaximumOptions, MinimumOptions, WordOptions, MarkerOptions, total=False):
    """Limits on the length and the words of a compression."""


_LANGUAGE: Final = Option(
    "en: leave texts in other languages as they are; any: compress every language.",
    more="A warning names texts that are left ([usage.md](usage.md#languages)).",
    default=Language.ENGLISH,
    remedy="use en, or any to compress every language",
    metavar="NAME",
)


class PrintOptions(TypedDict, total=False):
    """Options of what is printed, and how."""

    each_sentence: Annotated[bool, Option("The budget is for each sentence, not for the whole text.", default=False)]
    guard: Annotated[
        bool,
        Option(
            "Keep what changes the truth, and what a word cannot do without.",
            more="See [the guard](how-it-works.md#guard).",
            default=True,
            no="Also delete what changes the truth or leaves a sentence incomplete.",
        ),
    ]
    language: Annotated[Language | str | None, _LANGUAGE]
    resolve_pronouns: Annotated[
        bool,
        Option(
            "Print the antecedent of a pronoun where it would be lost.",
            more='"Ford will close the plant" of "Ford said it will close the plant".',
            default=False,
        ),
    ]
    explain: Annotated[
        bool,
        Option(
            "Say what is gone, and why.",
            more="On a terminal struck through, in JSON `deletions` ([limits.md](limits.md#explanations)).",
            default=False,
        ),
    ]


class Options(SearchOptions, LimitOptions, PrintOptions, total=False):
    """All options of a compression but k."""


class CompressOptions(ResultOptions, Options, total=False):
    """All options of a compression."""


class SubtitleOptions(TypedDict, total=False):
    """The options of subtitles."""

    format: Annotated[
        str | None,
        Option("srt, vtt, ass or ssa.", unset="what the file looks like", among=("srt", "vtt", "ass", "ssa")),
    ]
    cps: Annotated[
        float,
        Option(
            "Most characters a second.",
            more="Code points that are displayed, spaces included; tags and line breaks are not.",
            default=17.0,
            above=0,
            remedy="give a number of characters a second, above 0",
            metavar="N",
        ),
    ]
    line: Annotated[
        int,
        Option(
            "Most characters of a line.",
            default=42,
            least=1,
            remedy="give a whole number of characters, 1 or more",
            metavar="N",
        ),
    ]
    lines: Annotated[
        int,
        Option(
            "Most lines of a cue.",
            default=2,
            least=1,
            most=10,
            remedy="give a whole number of lines, 1 to 10",
            metavar="N",
        ),
    ]
    rebreak: Annotated[
        bool,
        Option("Break all cues into lines again, also those that are not shortened.", default=False, flag="--break"),
    ]
    language: Annotated[Language | str | None, _LANGUAGE]


class TreeOptions(TypedDict, total=False):
    """The options of drawn trees."""

    level: Annotated[
        Level | str | None,
        Option("Level whose probabilities the edges have: light, medium, short or headline.", unset="medium"),
    ]


class DocumentOptions(MaximumOptions, WordOptions, total=False):
    """The options of documents within one budget, except for their format."""

    query: Annotated[
        str | None,
        Option(
            "A question, or words: what answers it is kept first.",
            unset="the facts",
            check=check_query,
            metavar="TEXT",
        ),
    ]
    relevance: Annotated[
        Relevance | None,
        Option(
            "Function of sentences and the query that returns a score for each, in the place of our own.",
            check=check_callable("give a function of sentences and a query that returns scores"),
            remote=False,
        ),
    ]
    language: Annotated[Language | str | None, _LANGUAGE]
    threads: Annotated[
        int | None,
        Option("Threads that work on the document.", unset="all cores", least=1, metavar="N", remote=False),
    ]


class FormatOptions(TypedDict, total=False):
    """The format of documents."""

    format: Annotated[
        Format | str,
        Option(
            "How documents are written: markdown or text.",
            default=Format.MARKDOWN,
            metavar="NAME",
        ),
    ]


class FitOptions(DocumentOptions, FormatOptions, total=False):
    """The options of a document within one budget."""


class MessageOptions(DocumentOptions, total=False):
    """The options of a chat history within one budget."""

    overhead: Annotated[
        int | Callable[[Mapping[str, Any]], int] | None,
        Option(
            "What a message costs besides its texts.",
            more="In Python also a function of the message, which may count images.",
            unset="4 tokens, and nothing in other units",
            least=0,
            check=check_overhead,
        ),
    ]
    drop_turns: Annotated[
        bool,
        Option("Drop the oldest turns, with their calls and results, if shortening is not enough.", default=False),
    ]


class ModelOptions(TypedDict, total=False):
    """The model and the scorer."""

    model: Annotated[
        str | Path | None,
        Option(
            "Model: default, small, or the folder of a trained one.",
            more="`small` is four times as fast ([network.md](network.md)); a folder is what `laconic train` or "
            "`laconic train-network` wrote (one in a folder `small`: `./small`).",
            unset="default",
            check=check_model,
            metavar="NAME",
        ),
    ]
    scorer: Annotated[
        str | None,
        Option(
            "What scores: network, or maxent, the paper's classifier.",
            more="Either goes with any parser.",
            unset="the model's",
            among=(NETWORK, MAXENT),
            remedy=f"use {NETWORK} or {MAXENT}",
            metavar="NAME",
        ),
    ]


class ParserOptions(TypedDict, total=False):
    """The parser and its settings."""

    parser: Annotated[
        str | Parser | None,
        Option(
            "What parses: network, spacy, or the name of a spaCy pipeline.",
            more='The last two need `pip install "laconic[spacy]"`.',
            unset="the model's",
            check=check_parser,
            metavar="NAME",
        ),
    ]
    split: Annotated[
        bool,
        Option(
            "Split texts into sentences.",
            more="A sentence may have up to 20,000 characters.",
            default=True,
            no="Take every text as one sentence.",
        ),
    ]
    threads: Annotated[
        int, Option("Threads of the network, up to the cores there are.", default=1, least=1, metavar="N")
    ]


class LoadOptions(ModelOptions, ParserOptions, total=False):
    """The options of loading a compressor."""


class PipeOptions(
    ModelOptions, ResultOptions, SearchOptions, MaximumOptions, MinimumOptions, WordOptions, PrintOptions, total=False
):
    """The settings of the component for spaCy pipelines."""
