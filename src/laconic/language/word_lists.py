"""Word lists, in lower case, each with its purpose. Verbs are given by lemma."""

from __future__ import annotations

from enum import IntFlag
from typing import Final


class Denies(IntFlag):
    """The contexts in which a negation counts as one."""

    NODE = 1  # its node is negated: a feature of the classifiers
    CLAUSE = 2  # it reverses the meaning of its head, or nearly so: the guard
    WORD = 4  # `keep_all=["negations"]` keeps it, in any syntactic role
    HEADLINE = 8  # a headline and its sentence must both have one, or neither: the harvest


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
    """The words that count as negations in that context."""
    return frozenset(word for word, places in NEGATIONS.items() if where in places)


#: The coordinating negation: what it joins is denied as a whole.
COORDINATING_NEGATION: Final = "nor"
#: Verbs and conjunctions that leave open whether what they govern is true.
DOUBTS: Final = "deny doubt dispute reject refute whether if unless provide suppose assume".split()
#: Verbs that do not contribute to the topic of a sentence.
EMPTY_VERBS: Final = "be have do say go get make take come".split()
#: Prepositions that cannot be printed without their objects.
DANGLING_PREPOSITIONS: Final = "about at by for from in into of on over than to under with".split()

#: Adverbs that may be needed to complete a verb: "put it [there]", "treat him [badly]", "feel [better]".
COMPLETING_ADVERBS: Final = """
abroad across ahead along alongside apart around aside away back backward backwards badly better downstairs downtown
elsewhere everywhere far forth forward forwards here home inside indoors near nearby off out outside outdoors over
overseas past nowhere poorly round somewhere anywhere there through together under up down upstairs well worse
""".split()

#: The complementizer, which can always be omitted: "said [that] he left".
COMPLEMENTIZER: Final = "that"
#: The copula, which is merged with its predicate: "the gazebo should be in place" is incomplete without it.
COPULA: Final = "be"
#: The preposition between two nouns of which editors may keep either: "[parts of] the city", "the price [of oil]".
GENITIVE: Final = "of"
#: Contracted copulas, since lemmatisers may not know the curly apostrophe.
CONTRACTED_COPULAS: Final = "'s ’s 're ’re 'm ’m".split()
#: Verb forms that need a plural subject, though their tag does not say so.
PLURAL_FORMS: Final = ("were",)

#: Subordinators of clauses that may omit subject and copula: "when [you are] asked", but not "as [I was] leaving".
BEFORE_PARTICIPLES: Final = (
    "when", "while", "whilst", "if", "once", "unless", "until", "though", "although", "whenever", "wherever", "where",
)  # fmt: skip

#: The article with two forms, and the beginnings of words that it precedes: first letters with common exceptions; for
#: initials, the spelling of the first letter's name.
ARTICLES_BEFORE_CONSONANT: Final = ("a",)
ARTICLES_BEFORE_VOWEL: Final = ("an",)
VOWEL_BEGINNINGS: Final = "a e i o u 8 hour hon heir 11 18".split()
CONSONANT_BEGINNINGS: Final = "uni use usu eu one once".split()
VOWEL_LETTERS: Final = "a e f h i l m n o r s x".split()

AUXILIARIES: Final = frozenset(
    "is are was were be been being am has have had will would can could may might must shall should do does did".split()
)

#: Function words: determiners, pronouns, prepositions, conjunctions, auxiliaries.
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

#: Words of degree or place; kept if the sentence has them, like numbers.
DEGREES: Final = frozenset("also too just only even more most less least very so here still almost about".split())

#: Conjunctions before which a preposition has lost its object.
CONJUNCTIONS: Final = ("and", "or", "but")
#: Words that only questions and relative clauses begin with.
RELATIVES: Final = ("who", "which", "that", "whom", "whose", "where", "when")
#: Question words.
QUESTION_WORDS: Final = ("how", "why", "what", "when", "where", "who", "which", "whose")
#: Acronyms that are other words in lower case: in headlines; below, in lower-cased corpora.
HEADLINE_ACRONYMS: Final = frozenset({"US", "IT", "WHO"})
ACRONYMS: Final = frozenset("us uk un eu it who ad am pm la ap ny nba nasa ceo".split())
#: Numbers that headlines write in digits.
NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}


# Lists that several rules of the guard use; a list for a single rule is in its module. Lemmas, and forms where a tagger
# may assign another word class.


#: Adverbs of doubt, hearsay and degree, which stay with what they qualify.
HEDGES: Final = """
    allegedly reportedly apparently supposedly purportedly ostensibly seemingly presumably probably possibly perhaps
    maybe likely unlikely arguably potentially theoretically conceivably hypothetically nearly almost virtually
    practically partly partially hardly barely scarcely rarely seldom sometimes occasionally often usually typically
    normally generally commonly effectively essentially frequently infrequently chiefly predominantly primarily
    falsely wrongly
    mistakenly erroneously incorrectly wrongfully formerly initially roughly approximately
    necessarily mostly mainly largely merely only yet nowhere once further so-called alleged supposed suspected
    purported mistaken false fake bogus would-be tentatively provisionally
""".split()

#: Verbs of neutral reporting: what they report may stand alone.
SOURCES: Final = """
    said says told
    say report announce confirm add tell state note show find reveal observe write explain learn know see mean point
    disclose record discover realise realize notice remember recall remind inform notify mention declare publish
    understand agree conclude establish demonstrate prove reply respond answer specify indicate determine stress
    emphasise emphasize admit acknowledge concede comment advise recommend hear read call ensure sure glad happy sorry
    recognise recognize please pleased delighted proud afraid aware clear obvious evident true certain important
    surprising note thank hold rule decide resolve vote let be happen turn
""".split()
#: Verbs that make what follows a claim, belief, wish or forecast of their subject.
OWNERS: Final = """
    claim allege argue believe think expect predict warn hope suggest fear accuse insist maintain contend assert
    feel suspect consider reckon guess assume imagine suppose forecast estimate project anticipate speculate
    theorise theorize complain object protest promise vow pledge swear guarantee assure boast doubt deny dispute
    question wonder wish want interpret regard view see describe brand label dub call deem urge demand propose
    recommend advise charge joke dream pretend seem appear look sound tend picture conclude infer advertise bill
    tout hypothesise hypothesize foresee judge rate trust worry caution threaten hint imply signal presume fancy
    envisage concede opine
""".split()
#: People and groups whose statements are claims, whatever the verb.
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


#: Nouns of an opinion: "in my view", "in the defendant's account".
OPINIONS: Final = "opinion view account judgment judgement estimation reckoning eye mind".split()
#: Nouns that denote a number or a share.
FRACTIONS: Final = "half third quarter fifth tenth dozen couple hundred majority".split()
#: Words for all or none.
TOTALS: Final = "all anything everything nothing everyone everybody nobody none anyone any every".split()
#: Words of time other than numbers.
TIMES: Final = """
    noon midnight morning evening night afternoon dawn dusk today tomorrow tonight week weekend month year day hour
    minute second spring summer autumn winter monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december deadline end christmas easter
    season meal bedtime use departure arrival delivery lunch dinner breakfast quarter o'clock notice Monday Tuesday
    Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
    November December Christmas Easter
""".split()
#: Prepositions of bounds on an amount.
AMOUNT_PREPOSITIONS: Final = "over under above below beyond up between within of".split()
#: Prepositions of bounds on a time.
BOUNDING_PREPOSITIONS: Final = "within until till before beyond between after".split()
#: Quantifiers that are essential to the meaning.
QUANTITIES: Final = ("some", "most", "many", "few", "all", "no", "certain", "rare", "other")
#: Prepositions of an opinion ("in my view") and of a condition with a noun ("on condition that").
ON_IN_UNDER: Final = ("on", "in", "under", "to")
