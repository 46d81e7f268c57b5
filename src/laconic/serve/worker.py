"""A worker process: reads jobs from its standard input, writes answers to its standard output, both as frames.

A frame is the length of a pickled message in four bytes, and the message. The worker ends when its input does, so none
outlives the service, however that ends.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import warnings
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

from laconic.compressor import Compressor, load
from laconic.errors import LaconicError, LaconicWarning
from laconic.limits.tokens import Count, find_counter
from laconic.model_folders import VOCABULARY_NAME, model_folder, network_folder
from laconic.network.pieces import Pieces
from laconic.serve.answers import Answer, Answerer, Job
from laconic.serve.problems import Problem
from laconic.serve.settings import WORDPIECE, Settings

HEAD: Final = struct.Struct("!I")


def encode(message: Any) -> bytes:
    """A message as a frame."""
    packed = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(packed)) + packed


def load_models(settings: Settings) -> dict[str, Compressor]:
    """The models that requests may name; a path that has none is refused."""
    return {name: load(path) for name, path in settings.models.items()}


def load_tokenizers(settings: Settings) -> dict[str, Count]:
    """The tokenizers that requests may name."""
    found = {name: find_counter(path) for name, path in settings.tokenizers.items()}
    return {**found, WORDPIECE: _word_pieces(settings.models)}


def _word_pieces(models: Mapping[str, str]) -> Count:
    """Counts the pieces that the network of the first model reads, or of the default one."""
    folder = network_folder(model_folder(next(iter(models.values()))))
    pieces = Pieces(folder / VOCABULARY_NAME)
    return lambda text: len(pieces.cut(text))


class _Front:
    """The service at the other end of the pipes."""

    def __init__(self, given: BinaryIO, taken: BinaryIO) -> None:
        self._given = given
        self._taken = taken
        self._gone: set[int] = set()

    def jobs(self) -> list[Job]:
        """The next jobs; leaves when there are none for ever."""
        while True:
            kind, value = self._receive()
            if kind == "jobs":
                self._gone.clear()
                return [Job(*each) for each in value]

    def gone(self, number: int) -> bool:
        """Whether nobody waits for a job any more; what came in meanwhile is read."""
        while select.select([self._given], [], [], 0)[0]:
            kind, value = self._receive()
            if kind == "gone":
                self._gone.add(value)
        return number in self._gone

    def send(self, message: Any) -> None:
        self._taken.write(encode(message))
        self._taken.flush()

    def _receive(self) -> tuple[str, Any]:
        head = self._given.read(HEAD.size)
        packed = self._given.read(HEAD.unpack(head)[0]) if len(head) == HEAD.size else b""
        if not packed:
            os._exit(0)
        kind, value = pickle.loads(packed)
        return kind, value


def main() -> None:
    """Work until the service ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever a library prints must not get among the frames.
    given = os.fdopen(os.dup(0), "rb", buffering=0)
    taken = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    warnings.simplefilter("ignore", LaconicWarning)
    front = _Front(given, taken)
    kind, settings = front._receive()
    assert kind == "settings"
    try:
        answerer = Answerer(settings, load_models(settings), load_tokenizers(settings))
        for _ in answerer.answer([Job(0, "compress", b'{"texts":["The first sentence, of many, is slow."]}')]):
            pass  # what is made when it is first used, is made now
    except LaconicError as error:
        front.send(("refused", str(error)))
        return
    front.send(("ready", os.getpid()))
    while True:
        jobs = front.jobs()
        _work(answerer, front, jobs)
        front.send(("done", None))


def _work(answerer: Answerer, front: _Front, jobs: list[Job]) -> None:
    """Answer jobs. An error that nobody thought of is the answer of a job that caused it alone, and no text of it."""
    open_jobs = {job.number: job for job in jobs}
    try:
        for answers in answerer.answer(jobs, front.gone):
            for answer in answers:
                open_jobs.pop(answer.number, None)
            front.send(("answers", answers))
    except Exception as error:
        if len(jobs) > 1:  # which of them it is, they show alone
            for job in list(open_jobs.values()):
                _work(answerer, front, [job])
            return
        print(f"laconic: {type(error).__name__} in {jobs[0].endpoint}: please report it", file=sys.stderr, flush=True)
        problem = Problem(500, "internal", f"{type(error).__name__}: please report it with the request")
        front.send(("answers", [Answer(jobs[0].number, problem.status, problem.encode())]))


if __name__ == "__main__":
    main()
