"""Sentences that several files of tests read."""

from __future__ import annotations

from pathlib import Path

EXAMPLE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."

#: Every kind of mark, contraction, number and name.
SENTENCES = [
    EXAMPLE,
    "Acme Inc. said on Tuesday that third-quarter profit fell 4.5% to $60m, well below what analysts had expected.",
    "The mayor, who was elected in 2010, said on Monday that the old bridge will be closed (for two years), not one.",
    '"We did not see it coming," Ann Lee, the chief of Acme Inc., told the BBC, but she added that sales fell 4%.',
    "Apples, pears, plums and figs were sold at the market; however, nobody bought the grapes - or the melons!",
    "I don't think we can't finish the report by 5 p.m. on Friday, but John won't be there to sign it.",
    "He's been told that McDonald's will open 1,200 new restaurants in the U.S. over the next three years.",
    "“It’s a disaster,” said Mary O’Neill, whose family’s farm near Cork was flooded after the river burst its banks.",
    "Hi Tom, please find attached the invoice for €1,250.50, which isn't due until the 30th of September.",
    "The state-of-the-art, well-known laboratory in north-east London, built in 1999, hasn't been used since March.",
    "Please visit https://www.example.com/a?b=1&c=2 before you send the form, because the old page won't work anymore.",
    "We loved the show 😀 that aired last night on Channel 4, although nobody understood the ending.",
    "The Tenant shall not, without the Landlord's prior consent, assign or sublet the Premises (or any part thereof).",
    "J. K. Rowling, the author of Harry Potter, told The Guardian she had never planned a sequel.",
    "The Supreme Court ruled 5-4 that the law, which Congress passed in 1996, violates the First Amendment.",
    "‘No one told us anything,’ the driver said as passengers waited for more than two hours at Heathrow Airport.",
    "Shares of Apple rose 3 percent, Google fell 2 percent and Microsoft was barely changed after the announcement.",
    "Dr. Smith, 45, of Boston, Massachusetts, pleaded guilty to fraud and was sentenced to ten years in prison.",
    "The boys' team didn't win the cup, but the girls' team, coached by Maria Lopez, won gold in Paris.",
    "Neither the prime minister nor the opposition leader would comment on the report published by Reuters on Sunday.",
    "The storm, the worst in 30 years, killed 12 people, injured hundreds and left 1.5 million homes without power.",
    "In case of a breach of Section 4(b), the Company may terminate this Agreement upon 30 days' written notice.",
    'She said (and I quote) "never again" before leaving the room with her lawyer, Mr. Jones.',
    "- What are you doing here? - I've come to see you, because you didn't answer my calls.",
    "The film “Titanic”, directed by James Cameron, cost about £120m and earned more than $2 billion.",
    "Temperatures fell to -5°C in Berlin on Wednesday night, the German weather service said.",
    "A spokesman for the U.N. said that the talks between Israel and Egypt wouldn't resume before next week.",
    "You can't just leave, Sam, without telling anyone where you're going!",
    "The bank (which had been founded in 1850) collapsed; its owners, however, had already sold their shares.",
    "Three things matter: price, quality and service, said the CEO of Müller GmbH in Zürich.",
    "Engineers who write C++ or C# earn 10-15% more than those who don't, according to a survey by Stack Overflow.",
    "The rock 'n' roll museum in Cleveland, Ohio, which opened in 1995, drew 500,000 visitors last year.",
    "Hello all, the meeting that was planned for 10:30 on 12/05/2014 has been moved to room B-12, I'm afraid.",
    'He told reporters: "I am not a crook."',
    "Police in Rio de Janeiro, Brazil, said they had seized 2.3 tons of cocaine hidden in a shipment of frozen fish.",
    "The $700 billion bailout, approved by the Senate, doesn't include money for the auto industry.",
    "The man who lost his job said he would sue Acme Corp., which had hired him in 2003.",
    "A 26-year-old woman from Leeds has been charged with murder after a man's body was found in a park.",
    "Although it was raining, the children, who had no coats, played outside until their teacher called them.",
    "The Labour MP for Hull, Alan Johnson, said there's nothing in the bill that wouldn't help the poor.",
    "«Nous sommes prêts», the French minister said in Paris, though his aides weren’t so sure.",
    "The iPhone 5, which went on sale in September, isn't compatible with older docks, e.g. those made by Bose.",
    "Oil prices climbed above $100 a barrel in New York on fears that Iran's nuclear program could lead to war.",
    "I'd say it's gonna be fine; don't worry, y'all!",
    "The club, which is owned by a Russian billionaire, bought the young Spanish player for £6m in January.",
    "Rain fell in Spain on Monday. Snow, which nobody had expected, fell in Wales. The U.S. stayed dry, experts said.",
]

#: Every kind of text, two sentences that are not English among them.
WRITTEN = [
    "Two brothers who ran a bakery in Lyon were fined on Tuesday, the city council said.",
    "It rained.",
    "Yes!",
    "Why did the ferry from Oslo leave without its captain?",
    "A storm cut power to 40,000 homes in Nova Scotia late Sunday, the utility's spokeswoman Ann Lee said.",
    "Volvo will not close its plant in Ghent, although demand for trucks has fallen by a third since March.",
    "“We can't wait,” said the mayor, who had flown in from Quito.",
    "The band, whose first record sold 2.5m copies, splits up.",
    "Nobody was hurt when a crane fell onto a school that was empty because of the holidays.",
    "Apple's shares rose 4% to $212.30 after it reported record sales of phones in India.",
    "ok 👍",
    "loved it 😍😍 best pizza in town 🍕",
    "NASA DELAYS LAUNCH OF MOON ROCKET AFTER FUEL LEAK",
    "Council Votes To Ban Cars From Old Town By 2030",
    "rt @anna_k: trains are late again #commute https://example.org/x?y=1 …",
    "He said, she said, they said.",
    "To be, or not to be: that is the question.",
    "Dr. J. R. Smith Jr. of the U.S. Dept. of Energy met Sen. Lee at 5 p.m. Friday.",
    "3-2",
    "Wait… what?!",
    "the quick brown fox jumps over the lazy dog while the cat which has slept all day looks on",
    "Prices of copper, tin, lead and zinc fell; those of gold, silver and platinum rose.",
    "In a letter to staff that was seen by reporters, the chief executive, who took over in May, apologised.",
    "Ein Mann wurde am Montag in Köln verhaftet.",
    "Le maire de Nantes a annoncé sa démission.",
    "Tlie mayor 0f Bath sa1d tbe br1dge w1ll 0pen s00n .",
    "However, many of those who had come to see the queen left before she arrived at the abbey.",
    "Police are looking for a man in his thirties who stole a tractor and drove it into a lake near Tampere.",
    "She didn't say whether she'd run again.",
    "Scientists have found water on a planet 120 light years away, a study published in Nature Astronomy says.",
    "«Bonjour», “hello” and 'hallo' (all greetings) are short; however – unlike “hi” – they aren't the shortest.",
    "e-mail: jo@example.com, tel. +44 20 7946 0000",
    "A. B. C.",
    "Mr. Brown, 44, a father of three from Hull, pleaded guilty to two counts of fraud and was jailed for six years.",
]

#: Sentences with their compressions.
ITEMS = [
    ("The mayor of Bergen resigned on Friday after a long dispute, his office said.", "The mayor of Bergen resigned."),
    (
        "A storm that came from the north destroyed two bridges in the valley late Monday.",
        "A storm destroyed two bridges.",
    ),
    ("Police said the driver, who was not hurt, left the scene before they arrived.", "The driver left the scene."),
    (
        "Two women and a boy were rescued from a burning house in Leeds on Sunday morning.",
        "Two women and a boy were rescued.",
    ),
    (
        "The company will not pay a dividend this year, its chairman told reporters.",
        "The company will not pay a dividend.",
    ),
    ("Rain stopped play for the third time in a week at the tournament in Graz.", "Rain stopped play."),
    (
        "A 34-year-old man from Leeds was arrested on suspicion of arson after a fire destroyed a school in the city "
        "centre on Sunday night, police said.",
        "A man was arrested on suspicion of arson.",
    ),
]


def read_cases(name: str) -> list[str]:
    """The cases of a file of tests/data, one a line; lines that begin with "# " say what they are."""
    lines = (Path(__file__).parent / "data" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]
