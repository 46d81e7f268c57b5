"""laconic in a spaCy pipeline: `nlp.add_pipe("laconic")`, then `sent._.compressions`.

The component takes the pipeline's own parse, and nothing is parsed again. What it finds is kept in `doc.user_data` as
plain data, sentence by sentence and under spaCy's own kind of key, with offsets from the start of the sentence: so it
survives `Doc.to_bytes` and the way between processes, and moves with its sentence in `Span.as_doc` and `Doc.from_docs`.
The attributes make `Compression`s of it when they are read.
"""

from __future__ import annotations

import copy
import copyreg
import json
import os
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from inspect import Parameter, Signature
from itertools import islice
from pathlib import Path
from typing import Any, Final, Unpack, cast

from spacy import util
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span

from laconic.compressor import MAXENT, Compressor, Options, check_options
from laconic.decode import Method
from laconic.errors import LaconicError
from laconic.explanation.deletions import By, Deletion
from laconic.limits.tokens import find_counter
from laconic.model_folders import (
    GRAPH_NAME,
    HEADER_NAME,
    MAXENT_NAME,
    NAMES,
    NETWORK,
    VOCABULARY_NAME,
    maxent_folder,
    model_folder,
    network_folder,
)
from laconic.parse import Parses, from_docs, scheme
from laconic.parse.spacy import check_doc
from laconic.results import Compression, Resolved, Result
from laconic.score import Model

#: The name of the factory, as `nlp.add_pipe` takes it.
NAME: Final = "laconic"

#: The attribute of spans and documents: `sent._.compressions`, `doc._.compressions`.
ATTRIBUTE: Final = "compressions"

#: The settings of the component, each with its default; a config may name these.
DEFAULTS: Final[dict[str, Any]] = {
    "model": None,
    "scorer": None,
    "k": 1,
    "max_chars": None,
    "max_words": None,
    "max_tokens": None,
    "min_chars": None,
    "min_words": None,
    "min_tokens": None,
    "tokenizer": None,
    "rate": None,
    "min_rate": None,
    "nearest": False,
    "keep": [],
    "drop": [],
    "keep_all": [],
    "drop_all": [],
    "method": "topdown",
    "rho": None,
    "order": None,
    "resolve_pronouns": False,
    "explain": False,
}

#: Settings that are not options of a compression.
_OWN: Final = ("model", "scorer", "k")

#: The only option that a document cannot have; it is known so that it can be refused with the remedy.
_PROTECT: Final = "protect"

_MODEL_FILES: Final = (HEADER_NAME, GRAPH_NAME, VOCABULARY_NAME, MAXENT_NAME)

#: What the component's folder has, besides the files of a model.
_SETTINGS_NAME: Final = "settings.json"
_TOKENIZER_NAME: Final = "tokenizer.json"

#: All that is saved of a component.
_FILES: Final = (_SETTINGS_NAME, *_MODEL_FILES, _TOKENIZER_NAME)

_LABELS: Final = frozenset(scheme.LABELS)


class CompressorPipe(Pipe):
    """Compresses the sentences of parsed documents: a component of a spaCy pipeline.

    `model` and `scorer` are those of `laconic.load`, save that a folder is written as a path (`./mine`); `k` and the
    options are those of `laconic.compress`. The files of a model that does not come with laconic are read at once and
    go where the component goes. Where they are not there, as in a pipeline that is being loaded on another machine,
    they are looked for again when they are needed.
    """

    def __init__(
        self,
        name: str = NAME,
        *,
        model: str | Path | None = None,
        scorer: str | None = None,
        k: int = 1,
        **options: Unpack[Options],
    ) -> None:
        self.name = name
        self._settings = _check({"model": model, "scorer": scorer, "k": k, **options})
        self._files: dict[str, bytes] = {}
        self._find_files(strict=False)
        self._opened: tuple[int, Compressor, Options] | None = None
        set_extensions()

    @property
    def settings(self) -> dict[str, Any]:
        """The settings, as a config has them."""
        return copy.deepcopy(self._settings)

    def __call__(self, doc: Doc) -> Doc:
        """Compress the sentences of a parsed document."""
        self._compress([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Compress the sentences of many documents, in batches; one that fails goes to the error handler."""
        handle = self.get_error_handler()
        self._open()  # without a model there is nothing to be had for any document
        iterator = iter(stream)
        while docs := list(islice(iterator, batch_size)):
            try:
                self._compress(docs)
            except Exception:
                # One by one, to know which it was.
                for doc in docs:
                    try:
                        self._compress([doc])
                    except Exception as error:
                        handle(self.name, self, [doc], error)
                    else:
                        yield doc
            else:
                yield from docs

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings to a folder, and the files of a model that does not come with laconic."""
        folder = Path(path)
        saved = self._saved(exclude)
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:  # of what was saved there before
            (folder / name).unlink(missing_ok=True)
        for name, data in saved.items():
            (folder / name).write_bytes(data)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> CompressorPipe:
        """Take what was written to a folder.

        A component that was given settings of its own keeps them: `spacy.load(path, config=…)` can change them.
        """
        folder = Path(path)
        if not (folder / _SETTINGS_NAME).is_file():
            raise LaconicError(f"there is no {_SETTINGS_NAME} at {folder}: give the folder that to_disk wrote")
        names = [name for name in _FILES if _stem(name) not in exclude and (folder / name).is_file()]
        return self._take({name: _read(folder / name) for name in names})

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The settings, and the files of a model that does not come with laconic, as bytes."""
        return util.to_bytes({name: partial(bytes, data) for name, data in self._saved(exclude).items()}, ())

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> CompressorPipe:
        """Take what `to_bytes` gave, as `from_disk` does."""
        saved: dict[str, bytes] = {}
        util.from_bytes(data, {name: partial(saved.__setitem__, name) for name in _FILES}, exclude)
        return self._take(saved)

    def __reduce__(self) -> tuple[Any, ...]:
        # What is opened cannot be sent to another process, which opens it again; the native base class would try, and
        # holds the name itself.
        state = {**self.__dict__, "name": self.name, "_opened": None}
        return copyreg.__newobj__, (type(self),), state  # type: ignore[attr-defined]

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        set_extensions()

    def _saved(self, exclude: Iterable[str]) -> dict[str, bytes]:
        """What is to be saved, by the names of files."""
        self._find_files(strict=True)
        saved = {_SETTINGS_NAME: json.dumps(self._settings, indent=2).encode(), **self._files}
        return {name: data for name, data in saved.items() if _stem(name) not in exclude}

    def _take(self, saved: dict[str, bytes]) -> CompressorPipe:
        settings = _check(json.loads(saved.pop(_SETTINGS_NAME, b"{}")))
        if self._settings == DEFAULTS:
            self._settings, self._files = settings, {}
        for setting, (names, _) in _NAMED.items():
            if self._settings[setting] == settings[setting] and any(name in saved for name in names):
                kept = {name: data for name, data in self._files.items() if name not in names}
                self._files = kept | {name: saved[name] for name in names if name in saved}
        self._opened = None
        return self

    def _find_files(self, *, strict: bool) -> None:
        """Read the files that settings name and that are not read yet; what is not there is an error if `strict`."""
        for setting, (names, read) in _NAMED.items():
            if not any(name in self._files for name in names):
                try:
                    self._files |= read(self._settings[setting])
                except LaconicError:
                    if strict:
                        raise

    def _compress(self, docs: Sequence[Doc]) -> None:
        compressor, options = self._open()
        for doc, result in zip(docs, compressor.batch(docs, self._settings["k"], **options), strict=True):
            _keep(doc, result)

    def _open(self) -> tuple[Compressor, Options]:
        """The compressor and its options."""
        # Not one that was opened before a fork: a network on a graphics card does not survive it.
        if self._opened is None or self._opened[0] != os.getpid():
            self._find_files(strict=True)
            with tempfile.TemporaryDirectory(prefix="laconic-", ignore_cleanup_errors=True) as place:
                folder = Path(place)
                for name, data in self._files.items():
                    (folder / name).write_bytes(data)
                try:
                    self._opened = (os.getpid(), *_open(self._settings, folder, self._files))
                except LaconicError as error:
                    given = self._settings["model"] or self.name  # who was given a folder knows no other
                    raise LaconicError(str(error).replace(place, given)) from error.__cause__
        return self._opened[1:]


class _Docs:
    """Documents that a pipeline has parsed, in the place of a parser. `entities` are kinds of words that need them."""

    description: Final = "spacy-pipeline"
    tokens: Final = "spacy-pipeline"

    def __init__(self, entities: Sequence[str] = ()) -> None:
        self._entities = entities

    def parse(self, texts: Iterable[str | Doc]) -> Parses:
        """The parses of documents."""
        return from_docs([self._check(cast(Doc, doc)) for doc in texts])

    def _check(self, doc: Doc) -> Doc:
        """Refuse what would be compressed badly without a word about it."""
        if not len(check_doc(doc)):
            return doc
        shown = f"the Doc {doc.text[:40]!r}"
        if not doc.has_annotation("TAG"):
            raise LaconicError(
                f"{shown} has no part-of-speech tags, by which clauses are known: leave the tagger in the pipeline, "
                "before laconic"
            )
        if self._entities and not doc.has_annotation("ENT_IOB"):
            raise LaconicError(
                f"{shown} has no entities, and {self._entities[0]!r} asks for them: leave ner in the pipeline, before "
                "laconic, or leave that out of keep_all and drop_all"
            )
        unknown = sorted({token.dep_ for token in doc} - _LABELS)
        if unknown:
            raise LaconicError(
                f"{shown} has dependency labels that laconic does not know ({', '.join(unknown[:4])}): use a pipeline "
                "with the labels of spaCy's English models, like en_core_web_sm"
            )
        return doc


def make_component(nlp: Language, name: str, **settings: Any) -> CompressorPipe:
    """The component, as `nlp.add_pipe("laconic", config=…)` makes it."""
    return CompressorPipe(name, **settings)


# spaCy reads the settings and their defaults off the signature. It would check their types, too, but says no remedy.
make_component.__signature__ = Signature(  # type: ignore[attr-defined]
    [
        Parameter("nlp", Parameter.POSITIONAL_OR_KEYWORD, annotation=Language),
        Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, annotation=str),
        *(
            Parameter(setting, Parameter.KEYWORD_ONLY, default=default, annotation=Any)
            for setting, default in {**DEFAULTS, _PROTECT: None}.items()
        ),
    ],
    return_annotation=CompressorPipe,
)

Language.factory(
    NAME,
    func=make_component,
    default_config=DEFAULTS,
    assigns=[f"span._.{ATTRIBUTE}", f"doc._.{ATTRIBUTE}"],
    requires=["token.dep", "token.head", "token.tag", "token.is_sent_start"],
)


def set_extensions() -> None:
    """Set up `span._.compressions` and `doc._.compressions`; every component does it.

    Who reads documents that were saved calls this, where no pipeline is loaded.
    """
    attributes: list[tuple[Any, Callable[[Any], Any]]] = [(Span, _of_span), (Doc, _of_doc)]
    for kind, getter in attributes:
        if not kind.has_extension(ATTRIBUTE):
            kind.set_extension(ATTRIBUTE, getter=getter)
            continue
        present = kind.get_extension(ATTRIBUTE)[2]
        if (getattr(present, "__module__", None), getattr(present, "__name__", None)) != (__name__, getter.__name__):
            raise LaconicError(
                f"the attribute {kind.__name__}._.{ATTRIBUTE} is somebody else's: take it away with "
                f"{kind.__name__}.remove_extension({ATTRIBUTE!r}) before laconic is added"
            )


def _of_span(span: Span) -> tuple[Compression, ...]:
    """The compressions of a sentence; a span that is no sentence has none."""
    found = _user_data(span.doc).get(_key(span.start_char, span.end_char), ())
    return tuple(_from_plain(plain, span.start_char) for plain in found)


def _of_doc(doc: Doc) -> list[tuple[Compression, ...]]:
    """The compressions of every sentence of a document."""
    return [_of_span(sent) for sent in doc.sents] if doc.has_annotation("SENT_START") else []


def _key(start: int, end: int) -> tuple[str, str, int, int]:
    """Where spaCy keeps what belongs to a span, by its characters."""
    return ("._.", ATTRIBUTE, start, end)


def _user_data(doc: Doc) -> dict[Any, Any]:
    return cast(dict[Any, Any], doc.user_data)  # spaCy's stubs know nothing of its own keys


def _keep(doc: Doc, result: Result) -> None:
    """Keep a result in its document."""
    places = [(sent.start_char, sent.end_char) for sent in doc.sents] if result.sentences else []
    for sentence in result.sentences:  # there is none for a sentence of white space
        start, end = places[bisect_right(places, sentence.start, key=lambda place: place[0]) - 1]
        _user_data(doc)[_key(start, end)] = [_plain(each, start) for each in sentence.compressions]


def _plain(compression: Compression, base: int) -> dict[str, Any]:
    """A compression as plain data, with offsets from `base`."""
    deletions = compression.deletions
    return {
        "text": compression.text,
        "score": float(compression.score),
        "rank": compression.rank,
        "rate": float(compression.rate),
        "spans": _moved(compression.spans, -base),
        "resolved": [
            [_moved([each.pronoun], -base)[0], _moved(each.antecedent, -base)] for each in compression.resolved
        ],
        "deletions": None
        if deletions is None
        else [
            {
                **each.to_dict(),
                "start": int(each.start) - base,
                "end": int(each.end) - base,
                "p_del": None if each.p_del is None else float(each.p_del),
            }
            for each in deletions
        ],
    }


def _from_plain(plain: dict[str, Any], base: int) -> Compression:
    """The compression that was made plain, with offsets into the document."""
    deletions = plain["deletions"]
    return Compression(
        plain["text"],
        plain["score"],
        plain["rank"],
        plain["rate"],
        tuple(_moved(plain["spans"], base)),
        tuple(
            Resolved(_moved([pronoun], base)[0], tuple(_moved(antecedent, base)))
            for pronoun, antecedent in plain["resolved"]
        ),
        None
        if deletions is None
        else tuple(
            Deletion(**{**each, "start": each["start"] + base, "end": each["end"] + base, "by": By(each["by"])})
            for each in deletions
        ),
    )


def _moved(spans: Iterable[Sequence[int]], by: int) -> list[tuple[int, int]]:
    return [(int(start) + by, int(end) + by) for start, end in spans]


def _check(given: dict[str, Any]) -> dict[str, Any]:
    """All settings, as plain data; bad ones are refused."""
    if given.get(_PROTECT) is not None:
        raise LaconicError(
            "protect takes markers out of a text, and the text of a Doc stays as it is: leave it out, and give the "
            "words to keep"
        )
    settings = {name: value for name, value in given.items() if value is not None and name != _PROTECT}
    for name, default in DEFAULTS.items():
        if isinstance(default, bool) and not isinstance(settings.get(name, default), bool):
            raise LaconicError(f"{name} is {settings[name]!r}: give true or false")
        if isinstance(default, list) and name in settings:
            settings[name] = _check_list(name, settings[name])
        if name in ("method", "order") and name in settings:
            settings[name] = str(settings[name])
    settings = {**DEFAULTS, **settings}
    settings["model"] = _check_model(settings["model"])
    if settings["scorer"] not in (None, NETWORK, MAXENT):
        raise LaconicError(f"unknown scorer {settings['scorer']!r}: use {NETWORK} or {MAXENT}")
    options = _options(settings)
    tokenizer = settings["tokenizer"]
    if tokenizer is not None:
        if not isinstance(tokenizer, str | Path):
            raise LaconicError(
                f"tokenizer is {tokenizer!r}: a pipeline takes the path of a tokenizer.json, or a name like o200k_base"
            )
        settings["tokenizer"] = str(tokenizer)
        if _is_file(settings["tokenizer"]):
            options["tokenizer"] = len  # the file may be among those that are still to be read
    method, _ = check_options(settings["k"], **options)
    if method is not Method.TOPDOWN and settings["scorer"] == NETWORK:
        raise LaconicError(f"the method {method} scores with maxent: leave out scorer='network', or use topdown")
    return settings


def _check_list(name: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        given = "words, phrases or spans" if name in ("keep", "drop") else "kinds of words"
        raise LaconicError(f"{name} is {value!r}: give a list of {given}")
    return [list(each) if isinstance(each, tuple) else each for each in value]


def _check_model(model: Any) -> str | None:
    """A model's name or path; a name is one of laconic's own, for a folder may be gone when a pipeline is loaded."""
    if isinstance(model, Path):
        return str(model.absolute())
    if model is not None and not isinstance(model, str):
        raise LaconicError(f"model is {model!r}: use one of {', '.join(NAMES)}, or the path of a model's folder")
    if model is not None and model not in NAMES and Path(model).name == model:
        raise LaconicError(
            f"unknown model {model!r}: use one of {', '.join(NAMES)}, or write the path of a folder as './{model}'"
        )
    return model


def _options(settings: dict[str, Any]) -> Options:
    return cast(Options, {name: value for name, value in settings.items() if name not in _OWN})


def _is_file(tokenizer: str) -> bool:
    """Whether it is a path, not a name."""
    return tokenizer.endswith(".json") or Path(tokenizer).name != tokenizer


def _read_model(model: str | None) -> dict[str, bytes]:
    """The files of a model that does not come with laconic."""
    if model is None or model in NAMES:
        return {}
    folder = model_folder(model)
    return {name: _read(folder / name) for name in _MODEL_FILES if (folder / name).is_file()}


def _read_tokenizer(tokenizer: str | None) -> dict[str, bytes]:
    """The file of a tokenizer, where it is one."""
    if tokenizer is None or not _is_file(tokenizer):
        return {}
    find_counter(tokenizer)  # refuses what is none
    return {_TOKENIZER_NAME: _read(Path(tokenizer))}


def _stem(file: str) -> str:
    """What a file is called where spaCy is told to leave it out."""
    return file.split(".", maxsplit=1)[0]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read {file} ({error.strerror}): check the path") from error


#: Settings that name files: what these are called where they are saved, and what reads them.
_NAMED: Final[dict[str, tuple[tuple[str, ...], Callable[[str | None], dict[str, bytes]]]]] = {
    "model": (_MODEL_FILES, _read_model),
    "tokenizer": ((_TOKENIZER_NAME,), _read_tokenizer),
}


def _open(settings: dict[str, Any], folder: Path, files: dict[str, bytes]) -> tuple[Compressor, Options]:
    """A compressor without a parser, and its options; `files` are in `folder`."""
    options = _options(settings)
    if _TOKENIZER_NAME in files:
        options["tokenizer"] = find_counter(folder / _TOKENIZER_NAME)
    own = any(name in files for name in _MODEL_FILES)
    model = folder if own else model_folder(settings["model"])
    kinds = [*settings["keep_all"], *settings["drop_all"]]
    docs = _Docs([kind for kind in kinds if kind == "names" or kind in scheme.ENTITIES])
    scorer = settings["scorer"] or (NETWORK if (model / HEADER_NAME).exists() else MAXENT)
    if scorer == MAXENT:
        return Compressor(docs, Model.load(maxent_folder(model))), options
    from laconic.parse.network import NetworkParser

    compressor = Compressor(docs, NetworkParser(network_folder(model)), maxent=model)
    if settings["method"] != Method.TOPDOWN:
        _ = compressor.model  # while its file is there
    return compressor, options
