"""Subtitles condensed to reading speed: read, shorten, break, splice."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.errors import LaconicError, LaconicWarning
from laconic.language.detect import is_english
from laconic.realise import capitalise
from laconic.score import LevelScores
from laconic.subtitles.compose import Atom, compose, shown
from laconic.subtitles.cues import Cue, Rules, read_cues
from laconic.subtitles.fillers import Filler, find_fillers
from laconic.subtitles.formats import SubtitleFile, read_subtitles
from laconic.subtitles.lines import GapCost, set_lines, tree_cost
from laconic.subtitles.markup import Printed, displayed, write_markup
from laconic.subtitles.passages import Passage, read_passages
from laconic.subtitles.report import Condensed, CueReport
from laconic.subtitles.search import find_versions
from laconic.subtitles.sentence_versions import Key, Need, Piece, Reading, Version

if TYPE_CHECKING:
    from laconic.compressor import Compressor

#: The context in characters, on either side of a cue, in which fillers are detected.
_BESIDE: Final = 60

NO_TIME: Final = "it is displayed for no time"
NOT_ENGLISH: Final = "it is not English and left as it is"
NO_SPEECH: Final = "it has no speech that could be shortened"
NO_FAITHFUL: Final = "no faithful deletion leaves less"
TOO_MANY_LINES: Final = "its speakers and captions have more lines than that"


def check_subtitles(given: str | bytes, rules: Rules, format: str | None = None) -> Condensed:  # noqa: A002
    """Report on the cues of a file without changing anything."""
    return _Work(read_subtitles(given, format), rules).report()


def condense_subtitles(
    compressor: Compressor,
    given: str | bytes,
    rules: Rules,
    format: str | None = None,  # noqa: A002
    *,
    rebreak: bool = False,
    any_language: bool = False,
) -> Condensed:
    """Bring the cues of a file within the rules, as far as faithful deletions can."""
    work = _Work(read_subtitles(given, format), rules)
    work.take_fillers_out(any_language=any_language)
    work.read(compressor, rebreak=rebreak)
    work.shorten()
    work.set_lines(rebreak=rebreak)
    return work.report()


@dataclass(slots=True)
class _Tight:
    """A cue that must lose something."""

    #: The numbers of characters that the cue, and each of its segments between permanent line breaks, must lose.
    need: int
    of_segments: dict[int, int] = field(default_factory=dict)
    sure: bool = True  # whether any text this short fits into the lines


@dataclass(slots=True)
class _Solution:
    """The versions found for passages that share cues."""

    places: tuple[int, ...]
    versions: dict[tuple[int, int], Version] = field(default_factory=dict)  # by passage and first character
    missing: dict[int, int] = field(default_factory=dict)  # by cue: the number of characters that are still too many
    exact: bool = True

    @property
    def excess(self) -> int:
        """The total number of characters that are still too many."""
        return sum(self.missing.values())


class _Work:
    """The state of condensing a file."""

    def __init__(self, file: SubtitleFile, rules: Rules) -> None:
        self.file, self.rules = file, rules
        self.cues: list[Cue] = read_cues(file)
        self.passages: list[Passage] = read_passages(self.cues)
        self._of_cue: dict[int, list[int]] = {}
        for number, passage in enumerate(self.passages):
            for of in passage.cues():
                self._of_cue.setdefault(of, []).append(number)
        self._known: dict[int, list[Printed]] = {}  # cues as they are now
        self.reasons: dict[int, str] = {}
        self.final: dict[int, list[Printed]] = {}  # by cue, if changed
        #: Cues that exceed the limits and may be shortened.
        self.over: list[int] = []
        self.tight: dict[int, _Tight] = {}  # the subset of them that must lose something
        self.reading: Reading | None = None
        self.read_passages: list[int] = []
        self._text_of: dict[int, int] = {}  # by passage: its index among the parsed ones
        self.chosen: dict[tuple[int, int], Version] = {}  # by passage and start of the sentence
        self._atoms_of: dict[tuple[int, int], dict[int, list[Atom]]] = {}  # what is kept of these sentences
        self.spans: dict[int, list[tuple[int, int]]] = {}  # by passage: the spans of its sentences
        for number, cue in enumerate(self.cues):
            if not self.rules.is_over(cue):
                continue
            if number not in self._of_cue:
                self.reasons[number] = NO_SPEECH
            elif cue.end <= cue.start:
                self.reasons[number] = NO_TIME
            else:
                self.over.append(number)

    # Fillers

    def take_fillers_out(self, *, any_language: bool) -> None:
        """Remove fillers from cues over the limits until they fit, and as few as possible."""
        english = any_language or is_english(" ".join(passage.text for passage in self.passages))
        for number in list(self.over):
            if not any_language and not (english and is_english(self.cues[number].text)):
                self.over.remove(number)
                self.reasons[number] = NOT_ENGLISH
        for number in self.over:
            while not self._fits(number) and (found := self._fillers(number)):
                # Take the shortest filler that suffices; if none does, take the longest and continue.
                enough = [each for each in found if self._fits_without(number, *each)]
                passage, filler = min(enough, key=_length) if enough else max(found, key=_length)
                self.passages[passage].take_out(filler.start, filler.end, capital=filler.capital)
                self._known.pop(number, None)

    def _fillers(self, number: int) -> list[tuple[int, Filler]]:
        """The fillers of a cue with their passages: only those that lie in no other cue and leave some words."""
        found = []
        for place in self._of_cue[number]:
            passage = self.passages[place]
            start, end = passage.within(number)
            before = max(start - _BESIDE, 0)
            near = passage.text[before : end + _BESIDE]
            for each in find_fillers(near):
                filler = Filler(before + each.start, before + each.end, each.capital)
                own = passage.text[filler.start : filler.end]
                first = filler.start + len(own) - len(own.lstrip())
                inside = start <= first and filler.start + len(own.rstrip()) <= end
                left = passage.text[start : filler.start] + passage.text[filler.end : end]
                if inside and any(map(str.isalnum, left)):
                    found.append((place, filler))
        return found

    def _fits_without(self, number: int, place: int, filler: Filler) -> bool:
        """Whether a cue is within the rules without a filler."""
        passage = self.passages[place]
        kept = (passage.cue[:], passage.glyph[:], passage.text)
        passage.take_out(filler.start, filler.end, capital=False)
        self._known.pop(number, None)
        fits = self._fits(number)
        self._known.pop(number, None)
        passage.cue, passage.glyph, passage.text = kept
        return fits

    # Cues as they are now

    def _printed(self, number: int) -> list[Printed]:
        """What a cue displays at present, on one line, except for permanent breaks."""
        if number not in self._known:
            atoms = (atom for place in self._of_cue.get(number, ()) for atom in self._atoms(place, number))
            self._known[number] = compose(self.cues[number], atoms)
        return self._known[number]

    def _atoms(self, place: int, number: int) -> Iterable[Atom]:
        """What is kept of a passage in a cue."""
        passage = self.passages[place]
        i, end = passage.within(number)
        for first, last in self.spans.get(place, ()):
            if (place, first) in self.chosen and first < end and last > i:
                yield from self._as_they_are(passage, i, first)
                yield from self._version_atoms(place, first).get(number, ())
                i = last
        yield from self._as_they_are(passage, i, end)

    def _as_they_are(self, passage: Passage, start: int, end: int) -> Iterable[Atom]:
        """Unchanged characters of a passage in a cue; some text between two of them may have been removed."""
        for i in range(start, end):
            if passage.glyph[i] >= 0:
                inside = i > 0 and passage.cue[i - 1] == passage.cue[i] and passage.glyph[i - 1] >= 0
                yield Atom(passage.glyph[i], passage.text[i], passage.text[i - 1].isspace() if inside else None)

    def _version_atoms(self, place: int, start: int) -> dict[int, list[Atom]]:
        """What is kept of a sentence, by cue."""
        if (place, start) in self._atoms_of:
            return self._atoms_of[place, start]
        assert self.reading is not None
        passage, pieces = self.passages[place], self.chosen[place, start].pieces
        assert pieces is not None
        capital = _capital(passage.text, start, pieces)
        found: dict[int, list[Atom]] = {}
        cell: int | None = None
        for piece in pieces:
            number = int(self.reading.cue[piece.cell])
            own = found.setdefault(number, [])
            for i in range(piece.start, piece.end):
                char = capital[1] if capital and capital[0] == i else passage.text[i]
                space = piece.space if i == piece.start and cell == piece.cell else None
                if passage.cue[i] == number and passage.glyph[i] >= 0:
                    own.append(Atom(passage.glyph[i], char, space))
                elif own:
                    own.append(Atom(own[-1].glyph, char, space, own=False))
            cell = piece.cell
        self._atoms_of[place, start] = found
        return found

    def _fits(self, number: int) -> bool:
        """Whether a cue at present is within the rules."""
        text = shown(set_lines(self._printed(number), self.rules))
        return displayed(text) <= self.rules.allowed(self.cues[number]) and self.rules.holds(text)

    # Sentences

    def read(self, compressor: Compressor, *, rebreak: bool) -> None:
        """Parse the passages that must be shortened or whose lines are broken again."""
        # Cues that fit if only their lines are broken elsewhere need no deletions.
        self.tight = {number: self._tight(number) for number in self.over if not self._fits(number)}
        set_anew = set(range(len(self.cues))) if rebreak else set(self.over)
        wanted = {number for number in set_anew if len(self._printed(number)) > self.rules.line} | set(self.tight)
        self.read_passages = sorted({place for number in wanted for place in self._of_cue.get(number, ())})
        if not self.read_passages:
            return
        self._text_of = {place: text for text, place in enumerate(self.read_passages)}
        forest, scores = compressor.read([self.passages[place].text for place in self.read_passages])
        if not isinstance(scores, LevelScores):
            raise LaconicError("subtitles are shortened by a network: leave out the scorer maxent")
        cells, cues = [], []
        for place in self.read_passages:
            passage, own, last = self.passages[place], [], None
            for number, glyph in zip(passage.cue, passage.glyph, strict=True):
                here = (number, self._segment(number, glyph))
                if last is None or (glyph >= 0 and here != last):
                    cues.append(number)
                    last = here
                own.append(len(cues) - 1)
            cells.append(np.array(own, dtype=np.int32))
        self.reading = Reading(forest, scores, tuple(cells), np.array(cues, dtype=np.int32))
        for text, first, last_row in forest.parses.sentences():
            span = (int(forest.parses.start[first]), int(forest.parses.end[last_row - 1]))
            self.spans.setdefault(self.read_passages[text], []).append(span)

    def _segment(self, number: int, glyph: int) -> int:
        """The segment of a cue that contains a glyph; permanent line breaks separate segments."""
        return sum(at < glyph for at in self.cues[number].breaks)

    def _tight(self, number: int) -> _Tight:
        """What a cue must lose."""
        rules, cue = self.rules, self.cues[number]
        segments = shown(self._printed(number)).split("\n")
        whole = sum(map(len, segments))
        allowed = rules.allowed(cue)
        if len(segments) == 1:
            # A line break replaces a space, which then does not count.
            most = max((n for n in range(allowed + rules.lines) if n - (n // (rules.line + 1)) <= allowed), default=0)
            most = min(most, rules.lines * (rules.line + 1) - 1)
            longest = max(map(len, segments[0].split()), default=0) + 1  # a full stop may be added to it
            return _Tight(whole - most, sure=most + (rules.lines - 1) * longest < rules.lines * (rules.line + 1))
        room = max(rules.lines - len(segments), 0) + 1
        most = room * (rules.line + 1) - 1
        return _Tight(
            whole - allowed,
            {i: len(each) - most for i, each in enumerate(segments) if len(each) > most},
            sure=len(segments) >= rules.lines,
        )

    def shorten(self) -> None:
        """Shorten sentences until every cue is within the limits, or as close as possible."""
        if self.reading is None:
            return
        unproven: list[int] = []
        for solution in self._solve(self._components()):
            self._take(solution)
            unproven += [] if solution.exact else [solution.places[0]]
            self.reasons |= dict.fromkeys(solution.missing, NO_FAITHFUL)
        if unproven:
            name = self.cues[self.passages[unproven[0]].cue[0]].name
            more = f" and in {len(unproven) - 1} other places" if len(unproven) > 1 else ""
            warnings.warn(
                f"the sentences from cue {name}{more} are too long for a complete search: they are within the limits, "
                "but there may be better versions",
                LaconicWarning,
                stacklevel=4,
            )

    def _components(self) -> list[tuple[int, ...]]:
        """Groups of successive passages that share cues that must lose something, directly or indirectly."""
        found: list[list[int]] = []
        reach = -1
        for place in self.read_passages:
            tight = [number for number in self.passages[place].cues() if number in self.tight]
            if not tight:
                continue
            if tight[0] > reach:
                found.append([])
            found[-1].append(place)
            reach = max(reach, tight[-1])
        return [tuple(each) for each in found]

    def _solve(self, components: Sequence[tuple[int, ...]]) -> list[_Solution]:
        """The best versions of the sentences in each group of passages.

        Cues within the limits are not changed, unless another cue would remain over the limits.
        """
        first = self._search(components, keep=True)
        short = [each.places for each in first if each.missing]
        freer = {each.places: each for each in self._search(short, keep=False)} if short else {}
        return [other if (other := freer.get(each.places)) and other.excess < each.excess else each for each in first]

    def _search(self, components: Sequence[tuple[int, ...]], *, keep: bool) -> list[_Solution]:
        assert self.reading is not None
        places = [place for component in components for place in component]
        reading = self.reading.take([self._text_of[place] for place in places])
        cells = sorted({cell for own in reading.cell for cell in own.tolist()})
        of_cue: dict[int, list[int]] = {}
        for cell in cells:
            of_cue.setdefault(int(reading.cue[cell]), []).append(cell)
        needs, owner = [], []
        for number, whole in of_cue.items():
            if number not in self.tight:
                continue
            tight = self.tight[number]
            segments = self._segments(whole) if tight.of_segments else {}
            asked = [(whole, tight.need), *((segments.get(i, []), chars) for i, chars in tight.of_segments.items())]
            holds = None if tight.sure else partial(self._holds, number, places)
            for own, chars in asked:
                if own and (chars > 0 or holds is not None):
                    needs.append(Need(frozenset(own), max(chars, 0), holds))
                    owner.append(number)
        kept = [cell for cell in cells if int(reading.cue[cell]) not in self.tight] if keep else []
        choices = find_versions(reading, needs, kept)
        component_of = {place: component for component in components for place in component}
        found: dict[tuple[int, ...], _Solution] = {each: _Solution(each) for each in components}
        for choice in choices:
            named = {(places[text], start): version for (text, start), version in choice.versions.items()}
            solution = found[component_of[next(iter(named))[0]]]
            solution.versions |= named
            solution.exact &= choice.exact
            for need, chars in choice.missing.items():
                solution.missing[owner[need]] = chars
        return list(found.values())

    def _holds(self, number: int, places: Sequence[int], versions: dict[Key, Version]) -> bool:
        """Whether a cue's lines can hold its text with these versions."""
        kept, self.chosen = self.chosen, dict(self.chosen)
        known, self._known = self._known, {}
        atoms, self._atoms_of = self._atoms_of, dict(self._atoms_of)
        for (text, start), version in versions.items():
            self._atoms_of.pop((places[text], start), None)
            self.chosen.pop((places[text], start), None)
            if version.found is not None:
                self.chosen[places[text], start] = version
        printed = set_lines(self._printed(number), self.rules)
        self.chosen, self._known, self._atoms_of = kept, known, atoms
        return self.rules.holds(shown(printed))

    def _segments(self, cells: Sequence[int]) -> dict[int, list[int]]:
        """The cells of a cue, by segment."""
        assert self.reading is not None
        found: dict[int, list[int]] = {}
        for place, own in zip(self.read_passages, self.reading.cell, strict=True):
            passage = self.passages[place]
            for cell in set(cells).intersection(own.tolist()):
                at = next(i for i in np.flatnonzero(own == cell).tolist() if passage.glyph[i] >= 0)
                found.setdefault(self._segment(passage.cue[at], passage.glyph[at]), []).append(cell)
        return found

    def _take(self, solution: _Solution) -> None:
        """Apply the chosen versions of a group's sentences."""
        for key in [key for key in self.chosen if key[0] in solution.places]:
            del self.chosen[key]
            self._atoms_of.pop(key, None)
        for number in {number for place in solution.places for number in self.passages[place].cues()}:
            self._known.pop(number, None)
        self.chosen |= {key: version for key, version in solution.versions.items() if version.found is not None}

    # Lines

    def set_lines(self, *, rebreak: bool) -> None:
        """Break the lines of changed cues, or of all cues."""
        for number in range(len(self.cues)) if rebreak else self._touched():
            if number in self.reasons and self.reasons[number] in (NOT_ENGLISH, NO_TIME):
                continue
            before, plain = self.cues[number].text, self._printed(number)
            same = "".join(shown(plain).split()) == "".join(before.split())
            if same and not rebreak and self.rules.holds(before):
                continue  # it is too long for its time, but its lines fit
            printed = set_lines(plain, self.rules, self._gap_cost(number))
            if shown(printed) != before:
                self.final[number] = printed

    def _touched(self) -> list[int]:
        """Cues that were over the limits or have lost something."""
        changed = {
            number
            for place, start in self.chosen
            for number in self._cues_of(place, start)
            if "".join(shown(self._printed(number)).split()) != "".join(self.cues[number].text.split())
        }
        return sorted(changed | set(self.over))

    def _cues_of(self, place: int, start: int) -> list[int]:
        """The cues that contain parts of a sentence."""
        end = next(last for first, last in self.spans[place] if first == start)
        return sorted(set(self.passages[place].cue[start:end]))

    def _gap_cost(self, number: int) -> GapCost | None:
        """The costs of line breaks in a cue, derived from its trees."""
        if self.reading is None:
            return None
        parses = self.reading.forest.parses
        rows: dict[int, int] = {}  # by glyph
        for place in self._of_cue.get(number, ()):
            if (text := self._text_of.get(place)) is None:
                continue
            passage = self.passages[place]
            start, end = passage.within(number)
            tokens = slice(int(parses.token_ptr[text]), int(parses.token_ptr[text + 1]))
            first = tokens.start + int(np.searchsorted(parses.end[tokens], start, side="right"))
            last = tokens.start + int(np.searchsorted(parses.start[tokens], end))
            for row in range(first, last):
                for i in range(int(parses.start[row]), int(parses.end[row])):
                    rows[passage.glyph[i]] = row
        return tree_cost(self._printed(number), rows, parses)

    # The result

    def report(self) -> Condensed:
        """The changed file, and a report on every cue."""
        texts = {
            number: write_markup(self.cues[number].markup, printed, self.file.line_end)
            for number, printed in self.final.items()
        }
        texts = {number: text for number, text in texts.items() if text != self.cues[number].markup.source}
        reports = []
        for number, cue in enumerate(self.cues):
            after = shown(self.final[number]) if number in texts else cue.text
            chars, allowed = displayed(after), self.rules.allowed(cue)
            over = chars > allowed or not self.rules.holds(after)
            reason = self.reasons.get(number, NO_FAITHFUL if self.reading is not None else "") if over else ""
            if over and chars <= allowed and len(self.cues[number].breaks) >= self.rules.lines:
                reason = TOO_MANY_LINES
            reports.append(
                CueReport(
                    name=cue.name,
                    start=cue.start / 1000,
                    end=cue.end / 1000,
                    before=cue.text,
                    after=after,
                    chars=chars,
                    chars_before=cue.chars,
                    allowed=allowed,
                    cps=chars / cue.seconds if cue.seconds else None,
                    cps_before=cue.chars / cue.seconds if cue.seconds else None,
                    over=over,
                    reason=reason,
                    least=chars if reason == NO_FAITHFUL else None,
                )
            )
        return Condensed(self.file.replace(texts), tuple(reports), self.rules)


def _length(found: tuple[int, Filler]) -> tuple[int, int, int]:
    return found[1].end - found[1].start, found[0], found[1].start


def _capital(text: str, start: int, pieces: Sequence[Piece]) -> tuple[int, str] | None:
    """The character of a passage that must be capitalised if a sentence consists of these pieces."""
    if next((char for char in text[start:] if char.isalnum()), "").islower():
        return None
    printed = "".join(" " * piece.space + text[piece.start : piece.end] for piece in pieces)
    if (upper := capitalise(printed)) == printed:
        return None
    at = next(i for i, (a, b) in enumerate(zip(printed, upper, strict=True)) if a != b)
    for piece in pieces:
        at -= piece.space
        if at < piece.end - piece.start:
            return piece.start + at, text[piece.start + at].upper()
        at -= piece.end - piece.start
    raise AssertionError("the letter is in one of the pieces")
