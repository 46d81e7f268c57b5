"""Lists of words, in lower case, with what each is asked for. Verbs are given by their lemma."""

from __future__ import annotations

from enum import IntFlag
from typing import Final


class Denies(IntFlag):
    """Where a negation counts as one."""

    NODE = 1  # it makes its node a negated one: a feature of the classifiers
    CLAUSE = 2  # it turns what it hangs on into its opposite, or nearly so: the guard
    WORD = 4  # `keep_all=["negations"]` asks for it, in any position
    HEADLINE = 8  # a headline and its sentence must both have one, or none: the harvest


NEGATIONS: Final[dict[str, Denies]] = {
    "not": Denies.NODE | Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "n't": Denies.NODE | Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "n’t": Denies.NODE | Denies.CLAUSE | Denies.WORD,
    "never": Denies.NODE | Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "no": Denies.NODE | Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "nobody": Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "nothing": Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "none": Denies.CLAUSE | Denies.WORD,
    "neither": Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "nor": Denies.CLAUSE | Denies.WORD | Denies.HEADLINE,
    "hardly": Denies.CLAUSE | Denies.WORD,
    "scarcely": Denies.CLAUSE | Denies.WORD,
    "barely": Denies.CLAUSE | Denies.WORD,
    "nowhere": Denies.WORD,
    "without": Denies.WORD | Denies.HEADLINE,
    "cannot": Denies.WORD | Denies.HEADLINE,
}


def negations(where: Denies) -> frozenset[str]:
    """The words that count as negations there."""
    return frozenset(word for word, places in NEGATIONS.items() if where in places)


#: The negation that coordinates: what it joins is denied as a whole.
COORDINATING_NEGATION: Final = "nor"
#: Verbs and conjunctions that leave open whether what they govern is so.
DOUBTS: Final = "deny doubt dispute reject refute whether if unless provide suppose assume".split()
#: What opens a condition.
CONDITIONS: Final = "if unless until provided when whenever once".split()
#: Adverbs that say how far what they stand with holds.
LIMITING: Final = "even only just almost nearly enough too so".split()
#: Verbs that say nothing of what a sentence is about.
EMPTY_VERBS: Final = "be have do say go get make take come".split()
#: Prepositions that are lost without what they lead to.
DANGLING_PREPOSITIONS: Final = "about at by for from in into of on over than to under with".split()

#: Adverbs that may be what a verb cannot do without: "put it [there]", "treat him [badly]", "feel [better]".
COMPLETING_ADVERBS: Final = """
abroad across ahead along alongside apart around aside away back backward backwards badly better downstairs downtown
elsewhere everywhere far forth forward forwards here home inside indoors near nearby off out outside outdoors over
overseas past nowhere poorly round somewhere anywhere there through together under up down upstairs well worse
""".split()

#: The subordinator that is never printed: "said [that] he left" loses nothing without it.
COMPLEMENTIZER: Final = "that"
#: The verb that collapses with its predicate: without it "the gazebo should be in place" says nothing.
COPULA: Final = "be"
#: The preposition that joins two nouns of which an editor may keep either: "[parts of] the city", "the price [of oil]".
GENITIVE: Final = "of"
#: Its contracted forms: a lemmatiser may not know the curly apostrophe.
CONTRACTED_COPULAS: Final = "'s ’s 're ’re 'm ’m".split()
#: Verbs that ask for a plural subject though their tag does not say so.
PLURAL_FORMS: Final = ("were",)

#: Subordinators of clauses that may lose subject and copula: "when [you are] asked", not "as [I was] leaving".
BEFORE_PARTICIPLES: Final = (
    "when", "while", "whilst", "if", "once", "unless", "until", "though", "although", "whenever", "wherever", "where",
)  # fmt: skip

#: The article that has two forms, and which words each goes before: by their first letters, with the common exceptions;
#: of initials, by how the first letter is spelled.
ARTICLES_BEFORE_CONSONANT: Final = ("a",)
ARTICLES_BEFORE_VOWEL: Final = ("an",)
VOWEL_BEGINNINGS: Final = "a e i o u 8 hour hon heir 11 18".split()
CONSONANT_BEGINNINGS: Final = "uni use usu eu one once".split()
VOWEL_LETTERS: Final = "a e f h i l m n o r s x".split()

AUXILIARIES: Final = frozenset(
    "is are was were be been being am has have had will would can could may might must shall should do does did".split()
)

#: Words that are in a sentence for its grammar: determiners, pronouns, prepositions, conjunctions, auxiliaries.
CLOSED: Final = frozenset(
    """
    a an the this that these those some any each every all both either neither no another such
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs myself yourself
    himself herself itself ourselves themselves who whom whose which what where when why how there
    of in on at by for with from to into onto over under above below after before between among amid against along
    around across behind beside besides beyond despite during except inside near off out outside per since than through
    throughout till toward towards until up upon via within without down as like unlike while whilst because although
    though if unless whether and or but nor yet not n't never
    's 're 'm 've 'd 'll wo ca having doing done cannot ought let 'em
    """.split()
).union(AUXILIARIES)

#: Words that say how much or where; wanted where the sentence has them, like numbers.
DEGREES: Final = frozenset("also too just only even more most less least very so here still almost about".split())

#: Conjunctions after which a preposition has lost what it leads to.
CONJUNCTIONS: Final = ("and", "or", "but")
#: Words that a sentence does not begin with, unless it asks: a relative clause would.
RELATIVES: Final = ("who", "which", "that", "whom", "whose", "where", "when")
#: Words that a question begins with.
QUESTION_WORDS: Final = ("how", "why", "what", "when", "where", "who", "which", "whose")
#: Abbreviations in capitals that would be other words in lower case: those that headlines have, and those of a
#: lower-cased corpus.
HEADLINE_ACRONYMS: Final = frozenset({"US", "IT", "WHO"})
ACRONYMS: Final = frozenset("us uk un eu it who ad am pm la ap ny nba nasa ceo".split())
#: Numbers that headlines write as figures.
NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}


# What changes the truth of a sentence: the lists of the guard. Lemmas; forms too where a tagger may see another word.

#: Conjunctions of a condition, and those that are one unless they tell a story ("when the phone rang").
STRICT_CONDITIONS: Final = """
    if unless until till provided providing provide assuming assume supposing suppose lest whenever wherever
""".split()
LOOSE_CONDITIONS: Final = "when while once where whilst".split()
#: Prepositions of a condition, and the verbs and nouns that make one of the phrase around them.
CONDITIONAL_PREPOSITIONS: Final = "failing fail barring bar absent without".split()
CONDITIONAL_NOUNS: Final = "absence condition event understanding circumstance proviso case".split()
#: Adverbs that make what follows the outcome of what stands before.
OUTCOMES: Final = "otherwise else".split()
#: Prepositions that take something out of what was said.
EXCEPTIONS: Final = "except excepting excluding barring bar save apart other".split()

#: Adverbs of doubt, of hearsay and of how far something holds: they stay with what they qualify.
HEDGES: Final = """
    allegedly reportedly apparently supposedly purportedly ostensibly seemingly presumably probably possibly perhaps
    maybe likely unlikely arguably potentially theoretically conceivably hypothetically nearly almost virtually
    practically partly partially hardly barely scarcely rarely seldom sometimes occasionally often usually typically
    normally falsely wrongly mistakenly erroneously incorrectly wrongfully formerly initially roughly approximately
    necessarily mostly mainly largely merely only yet nowhere once further so-called alleged supposed suspected
    purported mistaken false fake bogus would-be
""".split()
#: Adverbs that bound an amount.
BOUNDING: Final = """
    only least most up more less few over under about around nearly almost some roughly approximately just exactly
    barely hardly no not at to than within below above beyond between until till by before after under minus maximum
    minimum every per as many much mere all but well far even nowhere once twice double half each
""".split()
#: What follows an amount and bounds it.
BOUNDS_AFTER: Final = (
    "more above over less few fewer under below upward later latest earliest most least maximum".split()
)

#: Verbs of a mere source: what they report may stand alone.
SOURCES: Final = """
    said says told
    say report announce confirm add tell state note show find reveal observe write explain learn know see mean point
    disclose record discover realise realize notice remember recall remind inform notify mention declare publish
    understand agree conclude establish demonstrate prove reply respond answer specify indicate determine stress
    emphasise emphasize admit acknowledge concede comment advise recommend hear read call ensure sure glad happy sorry
    recognise recognize please pleased delighted proud afraid aware clear obvious evident true certain important
    surprising note thank hold rule decide resolve vote let be happen turn
""".split()
#: Verbs that give a claim, a belief, a wish or a forecast to whoever is their subject.
OWNERS: Final = """
    claim allege argue believe think expect predict warn hope suggest fear accuse insist maintain contend assert
    feel suspect consider reckon guess assume imagine suppose forecast estimate project anticipate speculate
    theorise theorize complain object protest promise vow pledge swear guarantee assure boast doubt deny dispute
    question wonder wish want interpret regard view see describe brand label dub call deem urge demand propose
    recommend advise charge joke dream pretend seem appear look sound tend picture conclude infer advertise bill
    tout hypothesise hypothesize foresee judge rate trust worry caution threaten hint imply signal presume fancy
    envisage concede opine
""".split()
#: Verbs of a claim even where they stand in a clause with "as" or between commas.
PARENTHETICAL_OWNERS: Final = """
    claim allege argue believe think expect predict hope suggest fear insist maintain contend assert feel suspect
    reckon guess assume suppose forecast estimate anticipate complain promise swear tell say see ask judge imagine
""".split()
#: Whose sayings are claims, whatever the verb.
PARTISANS: Final = """
    critic opponent supporter campaigner activist prosecution prosecutor lawyer attorney counsel defence defense
    defendant plaintiff claimant lawsuit suit complaint indictment union rival analyst economist expert commentator
    observer pundit fan local resident neighbour neighbor purist detractor skeptic sceptic advocate proponent
    protester reviewer historian scholar theorist investor legend rumour rumor folklore tradition myth I
    we he she they you people some many most other lobby lobbyist manufacturer maker vendor seller company firm
    customer opposition candidate husband wife friend colleague grandmother grandfather mother father aunt uncle
    brother sister coach boss guide landlord driver doctor victim witness source insider everyone everybody anyone
    somebody someone reader listener viewer user player party
""".split()
#: Whose sayings are plain facts after "according to".
AUTHORITIES: Final = """
    police official officer report figure data statistic minutes minute record document statement spokesman
    spokeswoman spokesperson ministry department authority agency government court census release filing study
    survey poll office bureau website schedule log register coroner coastguard firefighter
""".split()
#: Nouns and adjectives that leave open, or deny, what the clause beside them says.
DOUBTFUL: Final = """
    rumour rumor myth claim allegation theory idea hope fear belief view opinion argument suspicion hypothesis
    assumption suggestion possibility chance probability likelihood risk danger legend story tale misconception
    fallacy lie hoax speculation talk notion impression feeling guess prediction forecast warning threat promise
    dream illusion accusation complaint contention assertion evidence sign proof reason doubt question unlikely
    likely possible impossible probable improbable doubtful unclear uncertain unsure untrue false wrong incorrect
    conceivable inconceivable questionable debatable plausible implausible convinced confident hopeful worried
    concerned afraid theoretical rumoured supposed truth denial hint condition point aim goal plan proposal demand
    expectation
""".split()
#: Verbs and modals that announce what is said: "I should say that", "please note that", "I can tell you that".
ANNOUNCING: Final = "say tell note mention add remember know stress remind point emphasise emphasize recognise".split()
ANNOUNCING_MODALS: Final = "should must can would 'd".split()
#: Doubtful nouns that are none as the subject of "is that": "the point is that …".
ASSERTING: Final = "sign truth reason point evidence".split()
#: Nouns whose clause may stand alone.
PLAIN_NOUNS: Final = "fact news reminder announcement notice realisation realization discovery".split()
#: Pronouns and determiners of a restriction: "those who", "any guest with".
RESTRICTED: Final = """
    those anyone anybody everyone everybody any every each all no none nobody only people person anything everything
    whoever nothing someone most some few many
""".split()
#: Determiners that say which, so that what follows the noun tells more, not which.
DEFINITE: Final = "the this that these those a an another my your his its our their her".split()

#: Auxiliaries of an instruction.
DIRECTIVES: Final = "must shall should need ought".split()
#: Prepositions of a deadline, a time or an amount in an instruction.
DEADLINES: Final = "by within before after until till between under below above over beyond every per up than".split()
#: Adverbs that decide an instruction.
MANNERS: Final = """
    once twice daily weekly monthly hourly nightly overnight dry upright only alone
    together separately
""".split()

#: What turns a point round after "but".
TURNS: Final = """
    fail lose close end cancel delay withdraw overturn reverse revert collapse drop fall die stop abandon reject
    refuse lower less worse again quash dismiss break back give postpone suspend scrap block unable however instead
    miss resign quit crash decline shrink replace remove ban retreat sink slip vanish disappear only return halt cut
    strike defeat disprove deny reopen recall expire lapse falter stall burn flop late slow
""".split()
#: Pronouns by which a clause speaks of what stands before it.
REFERRING: Final = "it this that they he she".split()

#: Phrases whose words stay together.
PHRASES: Final = """
    rather than; instead of; at least; at most; no long; up to; more than; less than; few than; other than; apart
    from; except for; accord to; according to; subject to; as if; as though; even if; even though; only if; only
    when; not only; far from; all but; anything but; by no mean; no more; no few; no less; as many as; as much as;
    as long as; so long as; as far as; as soon as; in case; no late than; long than; at the late; at the very late;
    at the early; at the least; at the most; in no event; under no circumstance; on condition; stop short; short of;
    not all; not one; not every; only as long as; except when; except if; but for; or more; or less; or above; or
    below; or few; or later; one of; in some case; in most case; too few; too many; none of; half of; most of; some
    of; few of; just under; just over; well over; well under; second large; twice as; half as; as often as; the
    verge; about to; due to; not until; not necessarily; used to; so much; yet to; but not; if not; or so; such as;
    in the event; no evidence; little more than; in excess of; next to nothing; next to no
""".split(";")

#: Nouns of an opinion: "in my view", "in the defendant's account".
OPINIONS: Final = "opinion view account judgment judgement estimation reckoning eye mind".split()
#: Verbs of saying whose sentence is a claim if a partisan is the subject.
CLAIMING: Final = """
    said says told
    say tell write state note add announce report explain comment reply respond answer declare stress emphasise
    emphasize point recall show hear read mention call mean advise recommend hold
""".split()
CERTAIN_MODALS: Final = "will can shall 'll".split()
INVERTED: Final = "have had should be were".split()
FRACTIONS: Final = "half third quarter fifth tenth dozen couple hundred majority".split()
LIMITS: Final = "maximum minimum total limit".split()
TOTALS: Final = "all anything everything nothing everyone everybody nobody none anyone any every".split()
ORDINALS: Final = "first last only second third fourth fifth next".split()
RESTRICTING_PREPOSITIONS: Final = """
    with without over under above below between in on from aged of for to at by before after outside within beyond
    against through via
""".split()
#: Words of a time that is no number.
TIMES: Final = """
    noon midnight morning evening night afternoon dawn dusk today tomorrow tonight week weekend month year day hour
    minute second spring summer autumn winter monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december deadline end christmas easter
    season meal bedtime use departure arrival delivery lunch dinner breakfast quarter o'clock notice Monday Tuesday
    Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
    November December Christmas Easter
""".split()
#: Words of a length or a share that is measured from, or of, something.
UNITS: Final = """
    kilometre kilometer metre meter mile foot inch yard centimetre centimeter point degree percent cent
""".split()
#: Prepositions that bound an amount.
AMOUNT_PREPOSITIONS: Final = "over under above below beyond up between within of".split()
#: Prepositions that a verb asks for rather than adds.
GOVERNED_PREPOSITIONS: Final = """
    with to into onto on about for as against under without within until till beyond between below above over off out
""".split()
#: Words that forbid what follows.
FORBIDDING: Final = "avoid forbid prohibit ban illegal unlawful forbidden prohibited refrain dangerous unsafe".split()
#: Bounds that say nothing without their amount.
TIGHT_BOUNDS: Final = "over under than about around least most nearly almost roughly approximately up".split()
#: Conjunctions of a clause that holds by itself.
REASONS: Final = ("because", "so")
PERMISSIONS: Final = "may can must shall should".split()
BOUNDING_PREPOSITIONS: Final = "within until till before beyond between after".split()
#: Nouns of how far something holds: "in some cases", "under no circumstances".
CASES: Final = "case instance circumstance way respect extent part degree event account condition time point".split()
#: Verbs that fill a pause: "you know", "I mean".
FILLERS: Final = "know mean see guess".split()
#: Adjectives that a noun has with an article alone: "the next days", "the same people".
WITH_ARTICLE: Final = "next last same past following other previous coming first only very rest".split()
#: Adjectives that say how sure somebody is: so does what stands before them.
SURE: Final = "sure certain confident convinced clear positive".split()
#: Words that rules ask for by themselves.
SINGLE: Final = """
    even without since save in well one every a an per within than as but if or and where each from down between
    take hear once more less few other no up have so too enough accord long late rather far subject to for of do
    only I any the type kind sort
    while you that those case let know want like mind people
""".split()
#: Words that go with a verb of motion or change, whatever the parser calls them.
PARTICLES: Final = ("back", "away", "out", "off", "down", "up", "on", "in", "over", "apart", "together")
#: What says when or how far beside another time or place.
LATER: Final = ("early", "late", "far", "soon", "earlier", "later", "further")
#: What singles one out.
FOREMOST: Final = ("first", "only", "last", "next", "past", "previous", "coming")
#: How many, or which, where it decides.
QUANTITIES: Final = ("some", "most", "many", "few", "all", "no", "certain", "rare", "other")
#: How many of them, where the noun alone would say all: of a subject, and of anything.
SOME_OF_THEM: Final = ("some", "several", "few", "all", "these", "those")
MOST_OF_THEM: Final = ("most", "many", "each", "every", "certain")
#: Prepositions that a condition's verb leads on with, and those that open one with a noun.
WITH_TO_INTO: Final = ("with", "to", "into", "onto")
ON_IN_UNDER: Final = ("on", "in", "under", "to")
