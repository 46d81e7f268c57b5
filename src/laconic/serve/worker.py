"""A worker process: reads jobs from standard input and writes answers to standard output, both as frames.

A frame is the length of a pickled message in four bytes, and the message. The worker exits when its input ends, so it
never outlives the service.
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
    """The models that requests may name; refuses a path without a model."""
    return {name: load(path) for name, path in settings.models.items()}


def load_tokenizers(settings: Settings) -> dict[str, Count]:
    """The tokenizers that requests may name."""
    found = {name: find_counter(path) for name, path in settings.tokenizers.items()}
    return {**found, WORDPIECE: _word_pieces(settings.models)}


def _word_pieces(models: Mapping[str, str]) -> Count:
    """A counter of the word pieces that the network of the first model, or the default network, reads."""
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
        """The next jobs; exits if the input has ended."""
        while True:
            kind, value = self._receive()
            if kind == "jobs":
                self._gone.clear()
                return [Job(*each) for each in value]

    def gone(self, number: int) -> bool:
        """Whether a job was cancelled; reads pending messages first."""
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
    # Libraries' output must not be mixed with the frames.
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
            pass  # warm up: initialise everything that is created on first use
    except LaconicError as error:
        front.send(("refused", str(error)))
        return
    front.send(("ready", os.getpid()))
    while True:
        jobs = front.jobs()
        _work(answerer, front, jobs)
        front.send(("done", None))


def _work(answerer: Answerer, front: _Front, jobs: list[Job]) -> None:
    """Answer jobs. An unexpected error becomes the answer of the job that caused it, without the text."""
    open_jobs = {job.number: job for job in jobs}
    try:
        for answers in answerer.answer(jobs, front.gone):
            for answer in answers:
                open_jobs.pop(answer.number, None)
            front.send(("answers", answers))
    except Exception as error:
        if len(jobs) > 1:  # rerun one by one to find the job that fails
            for job in list(open_jobs.values()):
                _work(answerer, front, [job])
            return
        print(f"laconic: {type(error).__name__} in {jobs[0].endpoint}: please report it", file=sys.stderr, flush=True)
        problem = Problem(500, "internal", f"{type(error).__name__}: please report it with the request")
        front.send(("answers", [Answer(jobs[0].number, problem.status, problem.encode())]))


if __name__ == "__main__":
    main()
