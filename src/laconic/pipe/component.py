"""The spaCy component: it compresses the sentences of documents, and can be saved and sent with its pipeline."""

from __future__ import annotations

import copy
import copyreg
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from inspect import Parameter, Signature
from itertools import islice
from pathlib import Path
from typing import Any, Final, Unpack, cast

from spacy import util
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc

from laconic.compressor import Compressor, load
from laconic.decode import Method
from laconic.errors import LaconicError
from laconic.limits.tokens import find_counter
from laconic.model_folders import (
    GRAPH_NAME,
    HEADER_NAME,
    MAXENT_NAME,
    NAMES,
    VOCABULARY_NAME,
    model_folder,
)
from laconic.options import Options, PipeOptions, fields
from laconic.parse import Parses, from_docs, scheme
from laconic.parse.spacy import check_doc
from laconic.parse.texts import Spans
from laconic.pipe.attributes import ATTRIBUTE, keep, set_extensions
from laconic.pipe.settings import DEFAULTS, check_settings, is_file, options_of
from laconic.results import Result

#: The name of the factory for `nlp.add_pipe`.
NAME: Final = "laconic"

_MODEL_FILES: Final = (HEADER_NAME, GRAPH_NAME, VOCABULARY_NAME, MAXENT_NAME)

#: The files in the component's folder besides those of a model.
_SETTINGS_NAME: Final = "settings.json"
_TOKENIZER_NAME: Final = "tokenizer.json"

#: All files of a saved component.
_FILES: Final = (_SETTINGS_NAME, *_MODEL_FILES, _TOKENIZER_NAME)

_LABELS: Final = frozenset(scheme.LABELS)


class CompressorPipe(Pipe):
    """Compresses the sentences of parsed documents: a component of a spaCy pipeline.

    `model` and `scorer` are as in `laconic.load`, except that a folder is written as a path (`./mine`); `k` and the
    options are as in `laconic.compress`. The files of a model that does not come with laconic are read at once, and
    saved and sent with the component. If they do not exist, as in a pipeline that is being loaded on another machine,
    they are looked for again when needed.
    """

    def __init__(self, name: str = NAME, **settings: Unpack[PipeOptions]) -> None:
        self.name = name
        self._settings = check_settings(settings)
        self._files: dict[str, bytes] = {}
        self._find_files(strict=False)
        self._opened: tuple[int, Compressor, Options] | None = None
        set_extensions()

    @property
    def settings(self) -> dict[str, Any]:
        """The settings in the form of a config."""
        return copy.deepcopy(self._settings)

    def __call__(self, doc: Doc) -> Doc:
        """Compress the sentences of a parsed document."""
        (result,) = self._compress([doc])
        if isinstance(result, LaconicError):
            raise result
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Compress the sentences of many documents, in batches; one that fails goes to the error handler."""
        handle = self.get_error_handler()
        self._open()  # fail early: without a model, no document can be processed
        iterator = iter(stream)
        while docs := list(islice(iterator, batch_size)):
            for doc, result in zip(docs, self._outcomes(docs), strict=True):
                if isinstance(result, Exception):
                    handle(self.name, self, [doc], result)
                else:
                    yield doc

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings to a folder, and the files of a model that does not come with laconic."""
        folder = Path(path)
        saved = self._saved(exclude)
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:  # remove files of an earlier save
            (folder / name).unlink(missing_ok=True)
        for name, data in saved.items():
            (folder / name).write_bytes(data)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> CompressorPipe:
        """Load what `to_disk` wrote to a folder.

        A component with settings of its own keeps them: `spacy.load(path, config=…)` can change them.
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
        """Load the result of `to_bytes`, as `from_disk` does."""
        saved: dict[str, bytes] = {}
        util.from_bytes(data, {name: partial(saved.__setitem__, name) for name in _FILES}, exclude)
        return self._take(saved)

    def __reduce__(self) -> tuple[Any, ...]:
        # Open objects cannot be pickled, so another process opens the model again. The native base class has a
        # `__reduce__` that would try to pickle them, and it holds the name.
        state = {**self.__dict__, "name": self.name, "_opened": None}
        return copyreg.__newobj__, (type(self),), state  # type: ignore[attr-defined]

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        set_extensions()

    def _saved(self, exclude: Iterable[str]) -> dict[str, bytes]:
        """The data to save, by file name."""
        self._find_files(strict=True)
        saved = {_SETTINGS_NAME: json.dumps(self._settings, indent=2).encode(), **self._files}
        return {name: data for name, data in saved.items() if _stem(name) not in exclude}

    def _take(self, saved: dict[str, bytes]) -> CompressorPipe:
        settings = check_settings(json.loads(saved.pop(_SETTINGS_NAME, b"{}")))
        if self._settings == DEFAULTS:
            self._settings, self._files = settings, {}
        for setting, (names, _) in _NAMED.items():
            if self._settings[setting] == settings[setting] and any(name in saved for name in names):
                kept = {name: data for name, data in self._files.items() if name not in names}
                self._files = kept | {name: saved[name] for name in names if name in saved}
        self._opened = None
        return self

    def _find_files(self, *, strict: bool) -> None:
        """Read the files named by settings that have not been read yet; missing ones are an error if `strict`."""
        for setting, (names, read) in _NAMED.items():
            if not any(name in self._files for name in names):
                try:
                    self._files |= read(self._settings[setting])
                except LaconicError:
                    if strict:
                        raise

    def _compress(self, docs: Sequence[Doc]) -> list[Result | LaconicError]:
        """The results of documents, which are also stored in them, or the errors of refused ones."""
        compressor, options = self._open()
        results = compressor.batch(docs, self._settings["k"], errors="return", **options)
        for doc, result in zip(docs, results, strict=True):
            if not isinstance(result, LaconicError):
                keep(doc, result)
        return results

    def _outcomes(self, docs: Sequence[Doc]) -> Sequence[Result | Exception]:
        """The same as `_compress`; on other errors, as in a tokenizer, retries one by one to find the document."""
        try:
            return self._compress(docs)
        except Exception as error:
            return [error] if len(docs) == 1 else [each for doc in docs for each in self._outcomes([doc])]

    def _open(self) -> tuple[Compressor, Options]:
        """The compressor and its options, opened on first use."""
        # Reopen after a fork: a network on a graphics card does not survive it.
        if self._opened is None or self._opened[0] != os.getpid():
            self._find_files(strict=True)
            with tempfile.TemporaryDirectory(prefix="laconic-", ignore_cleanup_errors=True) as place:
                folder = Path(place)
                for name, data in self._files.items():
                    (folder / name).write_bytes(data)
                try:
                    self._opened = (os.getpid(), *_open(self._settings, folder, self._files))
                except LaconicError as error:
                    given = self._settings["model"] or self.name  # name the folder that the user gave
                    raise LaconicError(str(error).replace(place, given)) from error.__cause__
        return self._opened[1:]


class _Docs:
    """Replaces the parser for documents that a pipeline has parsed. `entities` are kinds of words that need them."""

    description: Final = "spacy-pipeline"
    tokens: Final = "spacy-pipeline"

    def __init__(self, entities: Sequence[str] = ()) -> None:
        self._entities = entities

    def parse(self, texts: Iterable[str | Doc], whole: Sequence[Spans] = ()) -> Parses:
        """The parses of documents, with their own sentence boundaries."""
        return from_docs(cast(Doc, doc) for doc in texts)

    def check(self, doc: Doc) -> None:
        """Refuse documents that would otherwise be compressed badly without a warning."""
        if not len(check_doc(doc)):
            return
        shown = f"the Doc {doc.text[:40]!r}"
        if not doc.has_annotation("TAG"):
            raise LaconicError(
                f"{shown} has no part-of-speech tags, which identify clauses: leave the tagger in the pipeline, "
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


def make_component(nlp: Language, name: str, **settings: Any) -> CompressorPipe:
    """Create the component for `nlp.add_pipe("laconic", config=…)`."""
    return CompressorPipe(name, **settings)


#: Options that a pipeline does not support, listed so that the error can name the remedy.
_REFUSED: Final = [name for name, each in fields(Options).items() if "spacy" in each.option.instead]

# spaCy derives the settings and defaults from the signature. Its own type check would not name a remedy.
make_component.__signature__ = Signature(  # type: ignore[attr-defined]
    [
        Parameter("nlp", Parameter.POSITIONAL_OR_KEYWORD, annotation=Language),
        Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, annotation=str),
        *(
            Parameter(setting, Parameter.KEYWORD_ONLY, default=default, annotation=Any)
            for setting, default in {**DEFAULTS, **dict.fromkeys(_REFUSED)}.items()
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


def _read_model(model: str | None) -> dict[str, bytes]:
    """The files of a model that does not come with laconic."""
    if model is None or model in NAMES:
        return {}
    folder = model_folder(model)
    return {name: _read(folder / name) for name in _MODEL_FILES if (folder / name).is_file()}


def _read_tokenizer(tokenizer: str | None) -> dict[str, bytes]:
    """The file of a tokenizer, if it is one."""
    if tokenizer is None or not is_file(tokenizer):
        return {}
    find_counter(tokenizer)  # raises an error for an invalid tokenizer
    return {_TOKENIZER_NAME: _read(Path(tokenizer))}


def _stem(file: str) -> str:
    """The name of a file in spaCy's `exclude`."""
    return file.split(".", maxsplit=1)[0]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read {file} ({error.strerror}): check the path") from error


#: Settings that name files: the names of the saved copies, and the function that reads the files.
_NAMED: Final[dict[str, tuple[tuple[str, ...], Callable[[str | None], dict[str, bytes]]]]] = {
    "model": (_MODEL_FILES, _read_model),
    "tokenizer": ((_TOKENIZER_NAME,), _read_tokenizer),
}


def _open(settings: dict[str, Any], folder: Path, files: dict[str, bytes]) -> tuple[Compressor, Options]:
    """A compressor without a parser, and its options; `files` have been written to `folder`."""
    options = options_of(settings)
    if _TOKENIZER_NAME in files:
        options["tokenizer"] = find_counter(folder / _TOKENIZER_NAME)
    own = any(name in files for name in _MODEL_FILES)
    kinds = [*settings["keep_all"], *settings["drop_all"]]
    docs = _Docs([kind for kind in kinds if kind == "names" or kind.upper() in scheme.ENTITIES])
    compressor = load(folder if own else settings["model"], parser=docs, scorer=settings["scorer"])
    if settings["method"] != Method.TOPDOWN:
        _ = compressor.model  # load it while its file exists
    return compressor, options
