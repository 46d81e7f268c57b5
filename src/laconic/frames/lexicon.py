"""Frames from dictionaries, for words that are too rare, or too often used elliptically, to be learned by counting.

"Deprived the kingdom" is no sentence, however rare "deprive" is. These entries are added to the table.
"""

from __future__ import annotations

from typing import Final

from laconic.frames.uses import INFINITIVE, RELATIVE, Use

#: Verbs that need a prepositional phrase besides their object, by preposition; also in the passive.
_WITH_OBJECT: Final = {
    "from": """
        ban bar block deter discourage dissuade exempt exclude prevent prohibit stop distinguish
        differentiate disqualify distract divert estrange insulate isolate preclude refrain shield wean
    """,
    "of": """
        absolve accuse acquit apprise assure bereave convict convince cure deprive disabuse dispossess
        divest inform notify persuade relieve remind rid rob strip suspect warn
    """,
    "to": """
        accustom acclimatise adapt ascribe assign attach attribute compare condemn confine consign dedicate
        devote entitle expose hand liken limit link owe prefer relegate restrict sentence subject
        subordinate tie
    """,
    "with": """
        acquaint alternate charge coat combine confront confuse endow entrust equate equip furnish imbue infuse
        inundate lace pair pelt plague ply reconcile reunite saddle shower supply swamp provide
    """,
    "for": "blame exchange mistake substitute swap thank",
    "as": """
        cast categorise categorize characterise characterize cite class classify construe depict describe
        disguise dismiss establish identify interpret label paint perceive pose portray recognise recognize
        regard style treat view
    """,
    "into": """
        bully coax coerce convert cram dip divide dunk fold force goad incorporate insert integrate load
        lure merge pour pressure provoke scam shame split squeeze stir stuff talk tempt transform translate
        trick turn
    """,
    "on": "base bestow blame centre confer foist heap impose inflict lavish model pin predicate",
    "about": "inform",
    "against": "pit insure warn",
    "in": "dip dress drown embed embroil enclose encase ensconce immerse imprison interest mire steep",
    "onto": "graft load project",
    "off": "take",
    "without": "leave",
    "over": "prefer",
}
#: Verbs without an object that need a prepositional phrase, by preposition, or an infinitive.
_WITHOUT_OBJECT: Final = {
    "from": "abstain differ emanate refrain stem",
    "of": "beware consist dispose partake",
    "to": """
        accede adhere allude amount appertain aspire belong cater cling conform correspond lead lend pander
        pertain refer relate resort revert stick succumb tend
    """,
    "with": """
        abound associate collide coincide comply concur contend cope dispense empathise empathize interfere
        tamper
    """,
    "on": """
        bank border build centre count depend dwell embark encroach frown hinge impinge infringe insist prey
        rely verge
    """,
    "upon": "depend insist rely",
    "in": """
        abound consist culminate delve dabble engage indulge partake reside result specialise specialize
        succeed wallow
    """,
    "into": "delve lapse tap",
    "for": "account allow apologise apologize atone cater clamour compensate long opt vouch yearn",
    "as": "double function masquerade pose",
    "at": "aim balk excel glance marvel scoff sneer",
    "against": "militate",
    "around": "revolve",
    "xcomp": "endeavor endeavour undertake vow",
}
_ADJECTIVES: Final = {
    "of": """
        afraid appreciative ashamed aware bereft capable characteristic cognisant conscious convinced
        deserving devoid evocative fond full guilty incapable indicative mindful proud reminiscent
        representative short supportive symptomatic tired typical unaware unworthy wary worthy
    """,
    "to": """
        accustomed adjacent akin allergic amenable applicable attributable averse comparable conducive
        contrary detrimental devoted equivalent exposed immune impervious inferior integral intrinsic
        limited linked oblivious obliged opposed parallel peculiar pertinent proportional prone receptive
        relative resigned resistant restricted similar subject superior susceptible tantamount unaccustomed
        unused vulnerable
    """,
    "on": "bent contingent dependent hooked incumbent intent keen reliant",
    "with": """
        acquainted afflicted commensurate compatible concerned conversant familiar filled fraught identical
        incompatible inconsistent replete riddled rife synonymous teeming
    """,
    "for": "accountable answerable eligible ineligible liable notorious responsible",
    "from": "exempt indistinguishable inseparable",
    "in": "interested lacking steeped",
    "about": "adamant",
}
#: Nouns that need a prepositional phrase, by preposition.
_NOUNS_OF: Final = {
    "on": "dependence insistence reliance",
    "to": """
        addiction adherence allergy commitment devotion entitlement exposure reaction resistance
        susceptibility
    """,
    "of": """
        awareness cup dearth deprivation dose glass lack paucity period pinch shortage slice spoonful
        tablespoon teaspoon
    """,
    "in": "change decline decrease drop fall growth improvement increase reduction rise surge",
}
#: Nouns that need an infinitive.
_NOUNS: Final = {
    INFINITIVE: """
        ability attempt chance decision duty failure inability intention obligation opportunity permission
        position power refusal reluctance right tendency willingness wish
    """
}

#: Nouns that act as conjunctions of a clause: "by the time [he left]".
_NOUNS_WHOSE: Final = {RELATIVE: "moment time"}
#: Nouns that are known by whose they are.
_NOUNS_KNOWN: Final = {"of": "name identity bulk brunt remainder whereabouts"}

#: Nouns of quantity or existence before "of": the noun after it stands for both.
QUANTITIES: Final = (
    "abundance", "amount", "array", "batch", "bit", "bunch", "collection", "combination", "couple", "dozen",
    "existence", "form", "group", "handful", "host", "hundred", "kind", "lot", "majority", "million", "number",
    "occurrence", "pair", "percentage", "piece", "pocket", "presence", "range", "series", "set", "sort", "thousand",
    "ton", "type", "variety", "whole",
)  # fmt: skip
#: Nouns of a side, part, form or description before "of": either noun stands for both.
ASPECTS: Final = tuple(
    """
    accuracy appearance area bag basket body bottle bowl box bundle case category chapter choice city class concept
    contents content copy core country course cup department detail development distribution edition efficacy episode
    essence event example feature field file form history implementation island issue item jar land level line
    list menu method mixture model module nature network news notion outbreak pack packet page passage pattern phase
    picture piece pile plate policy problem process progress project provision purpose quality question record region
    report result rollout scope season section sector selection sense series session shape source stack state status
    story strategy structure style subject subset supply surface system table task team term text theme theory title
    topic town tradition update upload use value version view village volume word work world
    """.split()
)
#: Verbs that say little without how: "it may behave inconsistently".
MANNERED: Final = ("behave", "bode", "fare")
#: Verbs of making: "prepare a list of errors" prepares no errors.
MAKING: Final = ("prepare", "compile", "draw", "make", "write", "draft", "create", "produce", "publish")
#: Nouns of absence or incompleteness before "of": neither noun stands for both.
LACKS: Final = ("absence", "dearth", "deficiency", "half", "lack", "part", "paucity", "period", "shortage")

#: Verbs that can omit their object, as what is eaten or submitted is understood.
OBJECT_UNDERSTOOD: Final = tuple(
    """
    bake cancel clean cook dine drink drive eat edit forgive help hunt obey paint park phone play post practice practise
    recycle register rent search settle shop sing smoke study submit subscribe teach test text tidy type understand
    vacuum vote wash win write
    """.split()
)
#: Verbs whose infinitive gives a purpose: "use the lever [to stop it]".
SERVING: Final = ("build", "create", "develop", "employ", "hire", "open", "spend", "use", "write")
#: Verbs that make somebody do something: "causes the server [to close]".
CAUSING: Final = (
    "allow", "ask", "cause", "compel", "enable", "encourage", "entitle", "expect", "forbid", "force", "get", "instruct",
    "invite", "lead", "oblige", "order", "permit", "persuade", "prompt", "require", "tell", "urge", "want", "warn",
)  # fmt: skip
#: Adjectives that say nothing without their infinitive: "20% less likely [to develop it]".
TENDING: Final = ("apt", "bound", "inclined", "liable", "likely", "poised", "prone", "set", "unlikely")
#: Verbs with a clause that can omit whom it is addressed to.
HEARER_UNDERSTOOD: Final = ("ask", "bet", "demonstrate", "promise", "show", "signal", "teach", "warn", "write")

_SLOTS: Final = (
    ((Use.OBJECT, Use.PASSIVE, Use.PARTICIPLE), _WITH_OBJECT),
    ((Use.NO_OBJECT,), _WITHOUT_OBJECT),
    ((Use.ADJECTIVE,), _ADJECTIVES),
    ((Use.A, Use.THE, Use.SINGULAR), _NOUNS),
    ((Use.A, Use.THE, Use.SINGULAR), _NOUNS_OF),
    ((Use.THE,), _NOUNS_WHOSE),
    ((Use.THE,), _NOUNS_KNOWN),
)


def lexicon_rows() -> list[str]:
    """The lexicon as rows of a table of frames, with counts of zero."""
    return [
        f"{word}\t{use}\t0\t{slot}=0"
        for uses, slots in _SLOTS
        for slot, words in slots.items()
        for word in words.split()
        for use in uses
    ]
