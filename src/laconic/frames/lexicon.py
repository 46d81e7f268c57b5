"""What dictionaries say of words that are too rare, or too often half said, for counts to tell what they need.

"Deprived the kingdom" is no sentence, however seldom "deprive" is seen. What stands here holds besides the table.
"""

from __future__ import annotations

from typing import Final

from laconic.frames.uses import INFINITIVE, Use

#: Verbs that need a phrase besides their object, by its preposition; in the passive too.
_WITH_OBJECT: Final = {
    "from": "ban bar block deter discourage dissuade exempt exclude prevent prohibit stop",
    "of": "absolve accuse acquit convict convince cure deprive dispossess relieve remind rid rob strip suspect",
    "to": "accustom ascribe attribute confine dedicate devote entitle expose hand limit relegate restrict subject",
    "with": "confuse endow entrust equate equip imbue reconcile",
    "for": "mistake substitute",
    "as": "characterise characterize classify depict describe perceive portray regard treat",
    "into": "coerce lure talk transform translate trick turn",
    "on": "base bestow blame confer impose inflict",
    "against": "warn",
    "off": "take",
}
#: Verbs without an object.
_WITHOUT_OBJECT: Final = {
    "from": "abstain refrain stem",
    "of": "consist dispose",
    "to": "adhere amount belong lead pertain refer resort",
    "with": "comply cope",
    "on": "depend embark hinge insist rely",
    "in": "result succeed",
    "for": "account",
}
_ADJECTIVES: Final = {
    "of": "aware bereft capable conscious devoid fond incapable indicative reminiscent unaware",
    "to": "accustomed akin prone subject tantamount",
    "on": "contingent dependent reliant",
    "with": "compatible incompatible",
}
#: Nouns that need to be told what to do.
_NOUNS: Final = {INFINITIVE: "ability chance inability opportunity permission reluctance tendency willingness"}

#: Nouns that say how much there is of what follows with "of", or that it is there: that stands for both.
QUANTITIES: Final = (
    "abundance", "amount", "array", "batch", "bit", "bunch", "collection", "combination", "couple", "dozen",
    "existence", "form", "group", "handful", "host", "hundred", "kind", "lot", "majority", "million", "number",
    "occurrence", "pair", "percentage", "piece", "pocket", "presence", "range", "series", "set", "sort", "thousand",
    "ton", "type", "variety", "whole",
)  # fmt: skip
#: Nouns that say that there is none, or no more, of it: neither stands without the other.
LACKS: Final = ("absence", "collapse", "deficiency", "end", "failure", "lack", "loss", "risk", "shortage", "threat")

_SLOTS: Final = (
    ((Use.OBJECT, Use.PASSIVE, Use.PARTICIPLE), _WITH_OBJECT),
    ((Use.NO_OBJECT,), _WITHOUT_OBJECT),
    ((Use.ADJECTIVE,), _ADJECTIVES),
    ((Use.A, Use.THE, Use.SINGULAR), _NOUNS),
)


def lexicon_rows() -> list[str]:
    """The same as rows of a table of frames: none of these was counted."""
    return [
        f"{word}\t{use}\t0\t{slot}=0"
        for uses, slots in _SLOTS
        for slot, words in slots.items()
        for word in words.split()
        for use in uses
    ]
