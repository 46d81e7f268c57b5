"""Tables for spoken language: fillers, repetitions, and possible line breaks in subtitles.

Phrases are in lower case, and spelled as in subtitles.
"""

from __future__ import annotations

from typing import Final

from laconic.language.word_set import word_set

#: Hesitation sounds: fillers in any position, with or without a comma.
SOUNDS: Final = "um umm uh uhh uhm er err erm mm mmm hmm hm".split()

#: Fillers at the beginning of a sentence, before a comma: "[Well,] I think so."
OPENERS: Final = (
    "well|oh|ah|so|okay|ok|look|listen|see|now|right|anyway|like|basically|actually|i mean|you know|you see|i guess|"
    "you know what|all right|alright|to be honest|the thing is|mind you|let's see|let me see|i tell you|believe me|"
    "you understand|honestly|frankly|i say|okay so|yeah so"
).split("|")

#: Answers that are not fillers, and may be separated from the sentence after them by a comma.
ANSWERS: Final = "yes no yeah yep nope sure".split()

#: Fillers between two commas, or between a comma and the end of a sentence: "It's[, you know,] late", "It's late[, you
#: know]."
ASIDES: Final = (
    "you know|i mean|you see|like|basically|actually|sort of|kind of|right|okay|ok|honestly|frankly|"
    "to be honest|as it were|so to speak|if you like|let's say|mind you|you understand|you know what i mean|"
    "if you know what i mean|i tell you|believe me|as i say|as i said|in a way"
).split("|")

#: Words whose repetition is never intended: "the the", "I I".
STUTTERED: Final = word_set("""
    a an the i we you he she it they and but or to of in on at for with from is was are were my your his her our
    their this what when where who if as be by we're i'm it's that's there's he's she's they're you're i'll we'll
    i've we've i'd can could would should will
""")

#: Words and phrases whose repetition changes the meaning.
DOUBLED: Final = word_set("bye ha ho knock blah there now so very really long many much more again")

#: Words after which no line is broken, as they lead to the next word.
LEADING_WORDS: Final = word_set("""
    a an the this these those my your his her its our their some any no every each
    of in on at to for with from by about into onto over under after before between through during without within
    against among around behind below beside beyond near off out than upon via per towards toward as
    and or but nor so yet because although though while when if unless until since that which who whom whose where
    whether am is are was were be been being do does did have has had will would shall should can could may might
    must not very too more most i he she we they
    i'm you're he's she's it's we're they're i've you've we've they've i'll you'll he'll she'll it'll we'll they'll
    i'd you'd he'd she'd we'd they'd don't doesn't didn't won't wouldn't can't couldn't isn't aren't wasn't weren't
    mr. mrs. ms. dr. st. professor captain sergeant
""")

#: The cost of a line break between a word and its head, by label; `BREAK_ELSE` for other labels.
BREAK_COSTS: Final[dict[str, float]] = {
    **dict.fromkeys("det aux auxpass neg prt poss case compound nummod quantmod amod mark cc expl predet".split(), 2.5),
    **dict.fromkeys("pobj pcomp".split(), 2.5),
    **dict.fromkeys("dobj attr acomp oprd dative agent advmod nsubj nsubjpass npadvmod xcomp".split(), 0.8),
    **dict.fromkeys("prep appos acl".split(), 0.5),
    **dict.fromkeys("conj relcl advcl ccomp parataxis csubj dep".split(), 0.2),
    **dict.fromkeys("punct intj meta".split(), 0.0),
}
BREAK_ELSE: Final = 0.4
