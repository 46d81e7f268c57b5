"""The compressor: text → parse → tree → score → guard → decode → realise → text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, Unpack, cast, overload

from laconic.asked import Asked, Text, Texts, check_fit_options
from laconic.cores import cores
from laconic.decode import Method
from laconic.document.format import Format
from laconic.errors import LaconicError
from laconic.foreign import Language, warn_of_foreign
from laconic.levels import Level
from laconic.model_folders import HEADER_NAME, MAXENT, NETWORK, maxent_folder, model_folder, network_folder
from laconic.options import DocumentOptions, FitOptions, MessageOptions, Options, check
from laconic.parse import Parser, Parses, load_parser
from laconic.parse.texts import clean
from laconic.plan import level_for
from laconic.progress import Advance, ignore
from laconic.refused import put_back, raise_first
from laconic.results import Result
from laconic.score import LevelScores, Model
from laconic.tree import Forest, make_forest

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.document.fit import Fitted
    from laconic.document.several import FittedAll
    from laconic.messages.chat_form import Message
    from laconic.messages.fitted_messages import FittedMessages
    from laconic.parse.network import NetworkParser
    from laconic.parse.texts import Spans
    from laconic.tree import Tree

#: The maximum number of texts that are parsed together.
BATCH_SIZE: Final = 128

#: Errors of texts are raised instead of returned.
Raise: TypeAlias = Literal["raise"]


class Compressor:
    """Compresses English text with a parser and a scorer; can be used for any number of texts.

    The scorer is a maximum entropy model or a network. A network that is also the parser parses and scores in one pass.
    """

    def __init__(self, parser: Parser, scorer: Model | NetworkParser, *, maxent: Path | None = None) -> None:
        self.parser = parser
        self.scorer = scorer
        self._maxent = maxent

    @cached_property
    def model(self) -> Model:
        """The maximum entropy model; if the scorer is a network, it is loaded on first use."""
        if isinstance(self.scorer, Model):
            return self.scorer
        if self._maxent is None:
            raise LaconicError("the methods nss and ilp score with maxent: leave out scorer='network', or use topdown")
        return Model.load(maxent_folder(self._maxent))

    def compress(self, text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
        """The k best compressions of every sentence of a text."""
        return self.batch([text], k, **options)[0]

    @overload
    def batch(
        self, texts: Sequence[Text], k: int = 1, *, errors: Raise = "raise", **options: Unpack[Options]
    ) -> list[Result]: ...
    @overload
    def batch(
        self, texts: Sequence[Text], k: int = 1, *, errors: str, **options: Unpack[Options]
    ) -> list[Result | LaconicError]: ...
    def batch(
        self, texts: Sequence[Text], k: int = 1, *, errors: str = "raise", **options: Unpack[Options]
    ) -> list[Result] | list[Result | LaconicError]:
        """The results of several texts, parsed together.

        With `errors="return"`, the error of a refused text is returned in place of its result, and the other texts have
        their results. A `MisfitError` says how short the sentence that does not fit could be. Invalid options always
        raise an error.
        """
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise LaconicError("batch takes several texts: give a list of them, or use compress for one")
        _check_errors(errors)
        asked = Asked.of(self.parser, texts, k, options)
        if errors == "raise":
            raise_first(asked.unread or asked.refused)
        results, refused = asked.compress(*self.read(asked.texts, asked.method))
        if errors == "raise":
            raise_first(refused)
        found = put_back(results, refused, asked.unread)
        warn_of_foreign(found)
        return found

    def explain(self, text: str | Doc, k: int = 1, **options: Unpack[Options]) -> Result:
        """The k best compressions of every sentence of a text with the reason for every deletion.

        In a notebook, the result is shown with the deleted words struck through.
        """
        options["explain"] = True
        return self.batch([text], k, **options)[0]

    @overload
    def stream(
        self, texts: Texts, k: int = 1, *, batch_size: int = ..., errors: Raise = ..., **options: Unpack[Options]
    ) -> Iterator[Result]: ...
    @overload
    def stream(
        self, texts: Texts, k: int = 1, *, batch_size: int = ..., errors: str, **options: Unpack[Options]
    ) -> Iterator[Result | LaconicError]: ...
    def stream(
        self,
        texts: Texts,
        k: int = 1,
        *,
        batch_size: int = BATCH_SIZE,
        errors: str = "raise",
        **options: Unpack[Options],
    ) -> Iterator[Result] | Iterator[Result | LaconicError]:
        """The results of many texts, in order, as they are read; memory use does not grow with their number.

        The first batch is a single text, so that the first result comes early; later batches grow up to `batch_size`.
        With `errors="return"`, a refused text does not end the stream: see `batch`.
        """
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise LaconicError("stream takes many texts: give a list or another iterable of them, not one text")
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise LaconicError(f"batch_size is {batch_size!r}: give 1 or more")
        for name in ("keep", "drop", "keep_all", "drop_all"):
            if not isinstance(options.get(name), str | Sequence | None):
                raise LaconicError(f"{name} is {options.get(name)!r}: give a list, which can be read for every batch")
        _check_errors(errors)
        return self._stream(iter(texts), k, batch_size, errors, options)

    def _stream(
        self, texts: Iterator[Text], k: int, batch_size: int, errors: str, options: Options
    ) -> Iterator[Result | LaconicError]:
        size = 1
        while batch := list(islice(texts, size)):
            yield from self.batch(batch, k, errors=errors, **options)
            size = min(2 * size, batch_size)

    def fit(
        self,
        text: str | Doc,
        *,
        start: Advance = ignore,
        advance: Advance = ignore,
        **options: Unpack[FitOptions],
    ) -> Fitted:
        """Fit a whole document into one budget: each sentence is kept whole, compressed or dropped.

        The budget is `max_chars`, `max_words` or `max_tokens`, or a `rate` of the document's characters; a document
        that is within it already is returned unchanged. The format is `markdown`, whose structure is preserved, or
        `text`. Constraints name words of sentences; spans and protection markers are not supported. With a `query`, a
        question or keywords, the sentences that answer it count most. `relevance` replaces our own measure of that: a
        function that takes the sentences and the query and returns a score for each sentence. Blocks that are not
        English are printed unchanged or dropped, unless `language` is `any`. Of a spaCy `Doc`, the text is used.
        `threads` defaults to all cores. `start` is called with the number of characters, `advance` with the number of
        characters read since its last call.
        """
        (found,) = self._fit([text], options, start=start, advance=advance)
        if isinstance(found, LaconicError):
            raise found
        return found

    @overload
    def fit_batch(
        self, texts: Sequence[Text], *, errors: Raise = ..., advance: Advance = ..., **options: Unpack[FitOptions]
    ) -> list[Fitted]: ...
    @overload
    def fit_batch(
        self, texts: Sequence[Text], *, errors: str, advance: Advance = ..., **options: Unpack[FitOptions]
    ) -> list[Fitted | LaconicError]: ...
    def fit_batch(
        self,
        texts: Sequence[Text],
        *,
        errors: str = "raise",
        advance: Advance = ignore,
        **options: Unpack[FitOptions],
    ) -> list[Fitted] | list[Fitted | LaconicError]:
        """Several documents, each within the budget: see `fit`. Their sentences are parsed together.

        With `errors="return"`, the error of a refused document is returned in place of its result. Invalid options
        always raise an error. `advance` is called with the number of characters read.
        """
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise LaconicError("fit_batch takes several documents: give a list of them, or use fit for one")
        _check_errors(errors)
        found = self._fit(texts, options, advance=advance)
        if errors == "raise":
            raise_first({number: one for number, one in enumerate(found) if isinstance(one, LaconicError)})
        return found

    def _fit(
        self,
        texts: Sequence[Text],
        options: FitOptions,
        *,
        start: Advance = ignore,
        advance: Advance = ignore,
    ) -> list[Fitted | LaconicError]:
        from laconic.document.fit import fit_documents

        asked, limits = check_fit_options(options)
        return fit_documents(
            self,
            [_document_text(text) for text in texts],
            limits,
            format=asked["format"],
            start=start,
            advance=advance,
            **_document_settings(asked),
        )

    def fit_all(
        self,
        documents: Sequence[str] | Mapping[str, str],
        *,
        format: Format | str | Sequence[str] = Format.MARKDOWN,  # noqa: A002
        start: Advance = ignore,
        advance: Advance = ignore,
        **options: Unpack[DocumentOptions],
    ) -> FittedAll:
        """Fit several documents into one budget, with one choice over all their sentences: see `fit`.

        `documents` are texts, or texts by name; the name becomes the `source` of the result. The `format` is one for
        all, or one for each. A sentence that repeats one of another document counts once. The budget includes the blank
        line that is printed between two documents.
        """
        from laconic.document.several import Source, fit_together

        if isinstance(documents, str) or not isinstance(documents, Iterable):
            raise LaconicError("fit_all takes several documents: give a list of them, or use fit for one")
        named = list(documents.items()) if isinstance(documents, Mapping) else [(None, text) for text in documents]
        formats = [format] * len(named) if isinstance(format, str) else list(format)
        if len(formats) != len(named):
            raise LaconicError(f"there are {len(formats)} formats of {len(named)} documents: give one for each, or one")
        asked, limits = check_fit_options(options)
        return fit_together(
            self,
            [Source(_document_text(text), name, own) for (name, text), own in zip(named, formats, strict=True)],
            limits,
            start=start,
            advance=advance,
            **_document_settings(asked),
        )

    def fit_messages(self, messages: Sequence[Message], **options: Unpack[MessageOptions]) -> FittedMessages:
        """Fit a chat history into one budget by shortening the prose of old turns, the older the more.

        A message has a `role` and a `content`: a text or a list of parts. System messages, tool calls and their
        results, code, JSON and the newest turn are left unchanged, and something is kept of every message. The length
        is the sum of the lengths of all texts plus an `overhead` for each message: a number (default: 4 tokens), or a
        function of the message, which can count images, for example. With `drop_turns`, the oldest turns are dropped,
        with their tool calls and results, if shortening is not enough. The other options are those of `fit`.
        """
        from laconic.messages.fit_messages import fit_messages

        return fit_messages(self, messages, options)

    def tree(self, text: str | Doc, *, level: Level | str | None = None) -> list[Tree]:
        """The transformed tree of every sentence of a text, with the probabilities of its edges at a level."""
        from laconic.tree import make_trees

        forest, scores = self.read([text])
        asked = level_for(scores, level) or Level.MEDIUM
        if isinstance(scores, LevelScores):
            return make_trees(forest, scores.shown_at(forest, asked))
        return make_trees(forest, scores)

    def read(
        self,
        texts: Sequence[str | Doc],
        method: Method = Method.TOPDOWN,
        *,
        whole: Sequence[Spans] = (),
    ) -> tuple[Forest, Model | LevelScores]:
        """Parse texts: their trees, and what scores the edges. No sentence ends inside the spans given in `whole`."""
        if self.parser is self.scorer and method is Method.TOPDOWN:
            parses, scores = self.scorer.read(texts, whole)
            return make_forest(parses), scores
        # A parser of the user's own need not accept `whole`.
        parses = self.parser.parse(texts, whole) if any(whole) else self.parser.parse(texts)
        return make_forest(parses), self.score(parses, method)

    def score(self, parses: Parses, method: Method = Method.TOPDOWN) -> Model | LevelScores:
        """The scorer of the trees of some parses; the paper's methods always use the maximum entropy model."""
        if isinstance(self.scorer, Model) or method is not Method.TOPDOWN:
            return self.model
        return self.scorer.score(parses)


def _check_errors(errors: str) -> None:
    if errors not in ("raise", "return"):
        raise LaconicError(f"errors is {errors!r}: use raise or return")


def load(
    model: str | Path | None = None,
    *,
    parser: str | Parser | None = None,
    scorer: str | None = None,
    split: bool = True,
    threads: int = 1,
) -> Compressor:
    """A compressor, ready for use.

    `model` is the name of a model that comes with laconic, `default` or `small`, or a folder written by `laconic train`
    or `laconic train-network`. `parser` is `network`, `spacy`, the name of an installed spaCy pipeline, or an open
    parser. `scorer` is `network` or `maxent`. If they are not given, the scorer is what the model has, and the parser
    is the one that the model was trained with. With `split=False`, every text is one sentence (of up to 20,000
    characters). `threads` is the number of threads of the network.
    """
    check("load", {"model": model, "parser": parser, "scorer": scorer, "split": split, "threads": threads})
    folder = model_folder(model)
    maxent = None if scorer == NETWORK else folder  # an explicit scorer="network" excludes the other one
    if scorer is None:
        scorer = NETWORK if (folder / HEADER_NAME).exists() else MAXENT
    if scorer == MAXENT:
        opened = Model.load(maxent_folder(folder))
        if parser is None and not (folder / HEADER_NAME).exists():
            parser = opened.parser
        return _ready(Compressor(_open_parser(parser, folder, split, threads), opened))
    from laconic.parse.network import NetworkParser

    loaded = _open_parser(parser, folder, split, threads)
    if isinstance(loaded, NetworkParser):
        return _ready(Compressor(loaded, loaded, maxent=maxent))
    return _ready(Compressor(loaded, NetworkParser(network_folder(folder), threads=threads), maxent=maxent))


def _ready(compressor: Compressor) -> Compressor:
    """The compressor, as soon as its networks are open."""
    from laconic.parse.network import NetworkParser

    if isinstance(compressor.parser, NetworkParser):
        compressor.batch([])  # meanwhile, what the first text would wait for: imports, and the guard's program
    for part in (compressor.parser, compressor.scorer):
        if isinstance(part, NetworkParser):
            part.wait()
    return compressor


def _open_parser(parser: str | Parser | None, model: Path, split: bool, threads: int) -> Parser:
    if parser is not None and not isinstance(parser, str):
        return parser
    return load_parser(parser, model=model, split=split, threads=threads)


def _document_settings(asked: FitOptions) -> dict[str, Any]:
    """The options of documents other than limits; `threads` defaults to all cores."""
    return {
        "leaves_foreign": asked["language"] is not Language.ANY,
        "query": asked["query"],
        "relevance": asked["relevance"],
        "threads": min(asked["threads"] or cores(), cores()),
    }


def _document_text(text: str | Doc) -> str:
    """The text of a document; anything else is passed on, to be refused with its place in the batch."""
    given = text if isinstance(text, str) else getattr(text, "text", text)
    return clean(given) if isinstance(given, str) else cast(str, given)
