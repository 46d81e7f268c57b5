"""Lemmas: map a word form and its Penn Treebank tag to the dictionary form.

The scheme is that of spaCy's rule lemmatiser: lower case, except for "I" and names, which are unchanged; personal
pronouns become their subject forms ("them": "they"), and curly quotes straight ones. Irregular forms are in tables. For
the rest, suffixes are removed ("-ed", "-ies"), and then a lost "-e" is restored or a doubled consonant ("-pp-")
reduced.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from laconic.language.word_set import word_set

#: Irregular verbs: the base form and its other forms.
VERBS: Final = """
be am is are was were been being 's ’s 're ’re 'm ’m m re s ’ ai; do does did done doing; go goes went gone going gon;
have has had having 've ’ve ve 'd ’d; abide abode; age aging ageing; arise arose arisen; awake awoke awoken; babysit
babysat; bear bore borne born; beat beaten; become became; befall befell befallen; beget begot begotten; begin began
begun; behold beheld; bend bent; beseech besought; bias biased; bid bade bidden; bind bound; bite bit bitten; bleed
bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; bus bussed bussing; buy
bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; die dying; dig dug; draw
drew drawn; dream dreamt; drink drank drunk; drive drove driven; dwell dwelt; dye dyeing; eat ate eaten; fall fell
fallen; feed fed; feel felt; fight fought; find found; flee fled fleeing; fling flung; fly flew flown; focus focused
focusing focuses focussed focussing; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
forgo forwent forgone; forsake forsook forsaken; free freed; freeze froze frozen; gas gassed gassing; get got gotten
gets; give gave given; grind ground; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept;
kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt; leave left; lend lent; lie lay
lain lying; light lit; lose lost; make made; mean meant; meet met; mimic mimicked mimicking; panic panicked panicking;
pay paid; plead pled; prove proven; quiz quizzed quizzing quizzes; ride rode ridden; ring rang rung; rise rose risen;
run ran; saw sawn; say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shear
shorn; shine shone; shoe shod shoeing; shoot shot; show shown; shrink shrank shrunk; sing sang sung; singe singeing;
sink sank sunk; sit sat; ski skied skiing; slay slew slain; sleep slept; slide slid; sling slung; smell smelt; sneak
snuck; sow sown; speak spoke spoken; speed sped; spell spelt; spend spent; spill spilt; spin spun; spit spat; spoil
spoilt; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; stink stank stunk; strew
strewn; stride strode stridden; strike struck stricken; string strung; strive strove striven; swear swore sworn; sweep
swept; swell swollen; swim swam swum; swing swung; take took taken; taxi taxied; teach taught; tear tore torn; tell
told; think thought; throw threw thrown; tie tying; traffic trafficked trafficking; tread trod trodden; underlie
underlay underlain underlying; understand understood; vie vying; wake woke woken; wear wore worn; weave wove woven;
weep wept; whiz whizzed; win won; wind wound; wring wrung; write wrote written
"""

#: Irregular plurals: the singular and its plural.
NOUNS: Final = """
abuse abuses; ache aches; aircraft; alias aliases; alumnus alumni; analysis analyses; appendix appendices; atlas
atlases; aussie aussies; avalanche avalanches; axis axes; bacterium bacteria; barracks; bestie besties; bias biases;
birdie birdies; bogie bogies; bookie bookies; bookshelf bookshelves; brownie brownies; budgie budgies; bus buses;
cache caches; cactus cacti; calf calves; calorie calories; canoe canoes; canvas canvases; cattle; chaos; child
children; clothes; cookie cookies; corps; creche creches; crisis crises; criterion criteria; curriculum curricula;
cutie cuties; datum data; deer; diagnosis diagnoses; die dice; elf elves; emphasis emphases; excuse excuses; fish; foe
foes; foodie foodies; foot feet; freebie freebies; fungus fungi; gallows; gas gases; genie genies; goose geese;
grandchild grandchildren; half halves; headache headaches; headquarters; hippie hippies; hoe hoes; hoodie hoodies;
hoof hooves; horseshoe horseshoes; housewife housewives; hypothesis hypotheses; index indices; indie indies; iris
irises; junkie junkies; knife knives; kudos; leaf leaves; lens lenses; lie lies; life lives; loaf loaves; louse lice;
man men; matrix matrices; medium media; midwife midwives; minus minuses; misery miseries; money monies; mouse mice;
movie movies; necktie neckties; newbie newbies; news; niche niches; nucleus nuclei; oasis oases; oboe oboes; ox oxen;
parenthesis parentheses; penknife penknives; people; phenomenon phenomena; pie pies; plus pluses; police; prairie
prairies; prognosis prognoses; psyche psyches; quiz quizzes; rabies; roadie roadies; rookie rookies; scarf scarves;
self selves; selfie selfies; series; sheep; shelf shelves; shoe shoes; smoothie smoothies; spacecraft; species;
stadium stadia; stepchild stepchildren; stimulus stimuli; syllabus syllabi; synthesis syntheses; talkie talkies;
thesis theses; thief thieves; tie ties; toe toes; tooth teeth; veggie veggies; vertex vertices; vortex vortices; wharf
wharves; wife wives; woe woes; wolf wolves; woman women; yes yeses; zombie zombies
"""

#: Irregular comparatives and superlatives, by tag.
DEGREES: Final = {
    "JJR": "well better; bad worse; far farther further; less; more; few fewer; old elder",
    "JJS": "good best; bad worst; far farthest furthest; least; old eldest",
    "RBR": "well better; badly worse; far farther further; deeply deeper",
    "RBS": "well best; badly worst; far farthest furthest",
    "RB": "not n't n’t nt; far further farther; long longer; well better best; early earlier; soon sooner",
}

#: Other words by tag.
OTHERS: Final = {
    "PRP": "I i me; he him; she her; we us; they them; us 's ’s; them 'em ’em",
    "MD": "will wo 'll ’ll ll; can ca; would 'd ’d d; shall sha",
    "TO": "to na ta",
    "VB": "have 've ’ve ve",
    "VBP": "be am are is 're ’re re 'm ’m m 's ’s ai; have 've ’ve ve; do; get got",
    "''": "\" ” “ '' »; ' ’ ‘",
    "``": "\" “ ” `` «; ' ‘ ’",
}

#: Stems of comparable words that end in -e.
DEGREE_E: Final = word_set("""
    abl ampl bar blu brav clos coars crud cut dens fak fierc fin fre gentl hug humbl intens lam larg lat littl loos
    matur nic nobl obscur pal polit pur rar remot rip rud saf secur sever simpl sincer sor spars squar strang subtl
    sur tam tens tru unsaf vagu whit wid wis
""")

#: Stems of verbs that end in -e against the rules of `_base`; below, stems of verbs without -e against these rules.
VERB_E: Final = word_set("""
    ach adher ador arrang aveng aw bath becom bing breath cajol challeng chang cloth compet complet conced condol
    condon consol contraven conven creat cring delet deplet deplor dissuad dy estrang exchang excit exhal expedit
    explor extradit ey fring guid hast hing ignit ignor impal implor incit infring inhal interced interchang
    interfer interven invit loath loung lung misguid outscor overcom ow parol past permeat persever persuad plung
    postpon preced procreat rang rearrang reced recit reconven recreat rehom reignit restor reunit rever rewrit
    scaveng seeth sheath sooth spong stamped supersed tast ting underscor unit videotap wast welcom
""")
VERB_PLAIN: Final = word_set("""
    assassin ballot bang bargain bias bring bus canvas chagrin combat debut focus format gas handicap hang input
    kidnap log margin murmur output pilot pivot program quiz refocus ruin sing sulfur
""")

#: Verbs whose base form ends in a doubled consonant, apart from -ss, -ff, -zz and one-syllable ones in -ll.
DOUBLED: Final = word_set("""
    add bankroll boycott butt distill ebb egg enroll err farewell forestall foretell fulfill install instill
    misspell oversell overspill purr recall refill reinstall resell retell snowball stonewall
""")

_VOWELS: Final = "aeiou"
_SYLLABLE: Final = re.compile(r"[aeiou]+|(?<=[^aeiou])y")

#: Endings of verb stems that lost an -e: after any letters, and after a single vowel.
_LOST_E: Final = re.compile(
    r"(?:[vuzc]|qw|[^s]s|[bcdfgkptsz]l|[dlr]g|[aeiou]g|[iu]at)$"
    r"|(?:^|[^aeiou])(?:a[bdkmprst]|i[bdklmnr]|o[dkt]|u[bdklmnrt]|y[lmpt])$"
)
_PREFIX: Final = re.compile("fore|mis|out|over|pre|re|under|un|up|with")
_PAIR: Final = re.compile(r"[aeiou]{2}.{2}$")  # "fuell", "diall"
_SHORT: Final = re.compile(r"(?:^|[^aeiou])[aeiouy][^aeiouwxyh]$")
_DOUBLE: Final = re.compile(r"([bdfglmnprstz])\1$")


def _table(text: str) -> dict[str, str]:
    """Parse "lemma form form; lemma form" into a map from form to lemma; the first entry of a form wins."""
    entries = [entry.split() for entry in text.split(";")]
    return {form: words[0] for words in reversed(entries) for form in words[1:] or words}


_VERB_FORMS: Final = _table(VERBS)
_NOUN_FORMS: Final = _table(NOUNS)
_BY_TAG: Final = {tag: _table(text) for tag, text in (DEGREES | OTHERS).items()}


def lemma(form: str, tag: str) -> str:
    """The lemma of a word with a Penn Treebank tag; names and words without letters are unchanged."""
    if tag in ("NNP", "NNPS"):
        return form
    word = form.lower()
    if tag in _BY_TAG and word in _BY_TAG[tag]:
        return _BY_TAG[tag][word]
    if tag in _RULES:
        return _RULES[tag](word)
    return word


def _noun(word: str) -> str:
    """The singular of a plural."""
    if word in _NOUN_FORMS:
        return _NOUN_FORMS[word]
    if word.endswith("men") and len(word) > 4:
        return word[:-2] + "an"
    if not word.endswith("s") or word.endswith(("ss", "series")) or len(word) < 3:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "tzes", "oes")) or (
        word.endswith("uses") and len(_SYLLABLE.findall(word)) > 2 and word[-5] not in _VOWELS
    ):
        return word[:-2]
    return word[:-1]


def _verb_s(word: str) -> str:
    """The base form of a third person."""
    if word in _VERB_FORMS:
        return _VERB_FORMS[word]
    if not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + ("y" if len(word) > 4 else "ie")
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "tzes", "oes")):
        return word[:-2]
    return word[:-1]


def _verb_ed(word: str) -> str:
    """The base form of a past form or participle."""
    if word in _VERB_FORMS:
        return _VERB_FORMS[word]
    if (prefix := _PREFIX.match(word)) and (base := _VERB_FORMS.get(word[prefix.end() :])):
        return prefix.group() + base
    if not word.endswith("ed") or not _SYLLABLE.search(word[:-2]):
        return word
    if word.endswith("ied"):
        return word[:-3] + ("y" if len(word) > 4 else "ie")
    return word[:-1] if word.endswith("eed") else _base(word[:-2])


def _verb_ing(word: str) -> str:
    """The base form of a present participle."""
    if word in _VERB_FORMS:
        return _VERB_FORMS[word]
    return _base(word[:-3]) if word.endswith("ing") and _SYLLABLE.search(word[:-3]) else word


def _base(stem: str) -> str:
    """The base form of a verb from the stem before -ed or -ing: restores a lost -e or reduces a doubled consonant."""
    if "-" in stem:
        before, _, last = stem.rpartition("-")
        return f"{before}-{_base(last)}" if last else stem
    if stem in VERB_E:
        return stem + "e"
    if stem in VERB_PLAIN or stem in DOUBLED or not stem:
        return stem
    shape = stem.replace("qu", "qw")
    syllables = len(_SYLLABLE.findall(shape))
    if double := _DOUBLE.search(stem):
        own = double.group(1) in "fsz" or (double.group(1) == "l" and syllables == 1 and not _PAIR.search(stem))
        return stem if own else stem[:-1]
    if _LOST_E.search(shape):
        return stem + "e"
    return stem + "e" if syllables == 1 and _SHORT.search(shape) else stem


def _degree(word: str) -> str:
    """The positive of a comparative or superlative."""
    for end in ("er", "est"):
        if word.endswith(end) and len(word) > len(end) + 2:
            stem = word[: -len(end)]
            if stem in DEGREE_E:
                return stem + "e"
            if stem.endswith("i"):
                return stem[:-1] + "y"
            return stem[:-1] if re.search(r"[^aeiou][aeiou]([bdgmnprt])\1$", stem) else stem
    return word


#: The lemmatisation function of each tag.
_RULES: Final[dict[str, Callable[[str], str]]] = {
    "NNS": _noun,
    "VBZ": _verb_s,
    "VBD": _verb_ed,
    "VBN": _verb_ed,
    "VBG": _verb_ing,
    **dict.fromkeys(("JJR", "JJS", "RBR", "RBS"), _degree),
}
