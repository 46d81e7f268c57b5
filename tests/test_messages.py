"""Chat histories within a budget: what is shortened, what is left alone, and what is said of it."""

from __future__ import annotations

import copy
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laconic
from laconic.messages import Fate

Message = dict[str, Any]

SYSTEM = {
    "role": "system",
    "content": "You are a careful assistant who always answers politely and never invents a fact.",
}
ASKED = (
    "Hi, I am planning a trip to Lisbon with my wife and our two children in the second half of September, and we "
    "want to stay somewhere quiet that is not too far from the centre. We have about 2,400 euros for the whole week, "
    "without the flights. Which parts of the city would you recommend to us?"
)
ANSWERED = (
    "Lisbon in September is a wonderful choice, because the weather is still warm and most of the summer crowds have "
    "already left. For a family that wants to sleep well, I would recommend Campo de Ourique, which is a calm "
    "residential quarter with a large market hall, or Estrela, whose garden has a playground that children love. "
    "Alfama is beautiful, but its bars are open until late at night and its streets are steep."
)
CODE = "```python\nprices = {7: 1120, 9: 1480}  # euros, for the whole week that you asked about\n```"
FOUND = (
    "I found two flats in Estrela that are free for the whole week you asked about. The first one costs 1,120 euros "
    "and is on the third floor of a house without a lift, which may be tiring with luggage.\n\n"
    f"{CODE}\n\nYou can set `flat_id` to 9 in the form at https://example.org/book if you want the other one, which "
    "has a lift."
)
CALL = {
    "role": "assistant",
    "content": "Let me look that up for you in the list of all the flats that are free.",
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"area": "Estrela"}'}}
    ],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "The first flat, which is small, costs 1,120 euros a week."}
NEWEST = {"role": "user", "content": "What would be left of our budget, which I told you, if we took the second one?"}
HISTORY: list[Message] = [
    SYSTEM,
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": ANSWERED},
    {
        "role": "user",
        "content": "Great, thank you so much. Could you look for a flat that is free from 14 September on?",
    },
    CALL,
    RESULT,
    {"role": "assistant", "content": FOUND},
    NEWEST,
]


def count(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


def length(messages: list[Message]) -> int:
    """Counted again, by what the documentation says."""
    total = 0
    for message in messages:
        total += 4 + count(message["content"])
        for call in message.get("tool_calls", ()):
            total += count(call["function"]["name"]) + count(call["function"]["arguments"])
    return total


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def is_subsequence(short: str, whole: str) -> bool:
    rest = iter(words(whole))
    return all(word in rest for word in words(short))


def fit(compressor: laconic.Compressor, messages: list[Message], most: int, **options: Any) -> laconic.FittedMessages:
    return compressor.fit_messages(messages, max_tokens=most, tokenizer=count, threads=1, **options)


def least(compressor: laconic.Compressor, messages: list[Message]) -> int:
    with pytest.raises(laconic.MisfitError) as caught:
        fit(compressor, messages, 1)
    assert caught.value.shortest is not None
    return caught.value.shortest


def test_a_history_within_its_budget_comes_back_as_it_is(compressor: laconic.Compressor) -> None:
    found = fit(compressor, HISTORY, length(HISTORY))
    assert found.messages == HISTORY
    assert found.length == found.most == length(HISTORY)
    assert {report.fate for report in found.reports} == {Fate.ALONE, Fate.WHOLE}


def test_every_budget_from_the_shortest_on_is_kept_and_used(compressor: laconic.Compressor) -> None:
    shortest, whole = least(compressor, HISTORY), length(HISTORY)
    assert shortest < 0.6 * whole
    used = []
    for most in range(shortest, whole, 13):
        found = fit(compressor, HISTORY, most)
        assert found.length == length(found.messages) <= most
        assert [message["role"] for message in found.messages] == [message["role"] for message in HISTORY]
        for before, after in zip(HISTORY, found.messages, strict=True):
            assert after["content"].strip()
            assert is_subsequence(after["content"], before["content"])
        used.append(found.length / most)
    assert sum(used) / len(used) > 0.97
    with pytest.raises(laconic.MisfitError, match=f"has {shortest}; allow at least that many"):
        fit(compressor, HISTORY, shortest - 1)


def test_what_must_be_found_as_it_was_is_left_alone(compressor: laconic.Compressor) -> None:
    found = fit(compressor, HISTORY, least(compressor, HISTORY))
    for message in (SYSTEM, CALL, RESULT, NEWEST):
        assert message in found.messages
    short = found.messages[6]["content"]
    assert len(short) < len(FOUND)
    assert CODE in short
    assert "`flat_id`" in short
    assert "https://example.org/book" in short
    assert [(report.fate, report.why) for report in found.reports] == [
        (Fate.ALONE, "system"),
        (Fate.SHORTENED, None),
        (Fate.SHORTENED, None),
        (Fate.SHORTENED, None),
        (Fate.ALONE, "tool call"),
        (Fate.ALONE, "tool result"),
        (Fate.SHORTENED, None),
        (Fate.ALONE, "newest turn"),
    ]


@pytest.mark.parametrize(
    "block",
    [
        '{"name": "Ada Lovelace", "born": 1815, "notes": "the first programmer, as many people say"}',
        "[1815, 1852, 1871]",
        "2024-05-17 10:31:02 INFO the server, which was started by the cron job, is listening on all interfaces",
        'Traceback (most recent call last):\n  File "app.py", line 3, in main, which is called by the scheduler',
        "    total = sum(price for price in prices if price is not None and price > 0)",
        "SELECT name FROM users WHERE the_last_login_of_the_user_was_long_ago AND NOT deleted",
        "def shorten(text, which, is, very, long):\n    return text",
        "$ pip install everything that is needed, which takes a while on this old machine",
        "| city | people who live there, as was counted last year |\n|---|---|\n| Lisbon | 545,000 |",
        "<div>\n<p>The text, which is long, of a page that somebody has written.</p>\n</div>",
        "Der Zug, der gestern noch pünktlich war, kommt heute leider mit einer Stunde Verspätung in Berlin an.",
    ],
)
def test_code_json_logs_tables_and_other_languages_stay_byte_for_byte(
    compressor: laconic.Compressor, block: str
) -> None:
    message = {"role": "assistant", "content": f"{ANSWERED}\n\n{block}\n\n{ANSWERED.replace('Lisbon', 'Porto')}"}
    history = [{"role": "user", "content": "Tell me more about it, please."}, message, NEWEST]
    with pytest.warns(laconic.LanguageWarning) if block.startswith("Der") else _nothing():
        found = fit(compressor, history, int(0.6 * length(history)))
    text = found.messages[1]["content"]
    assert block in text
    assert len(text) < len(message["content"])


def _nothing() -> Any:
    from contextlib import nullcontext

    return nullcontext()


def test_a_message_that_is_json_is_left_as_it_is(compressor: laconic.Compressor) -> None:
    data = {"role": "assistant", "content": json.dumps({"answer": ANSWERED})}
    history = [{"role": "user", "content": ASKED}, data, NEWEST]
    assert fit(compressor, history, length(history) - 20).messages[1] == data


def test_prose_is_not_taken_for_code() -> None:
    from laconic.document.document import read_document
    from laconic.messages.left_alone import leave_code

    for text in (ASKED, ANSWERED, "Note: the shop is closed on Monday (as always), and parking costs $3 = little."):
        assert all(block.prose is not None for block in leave_code(read_document(text, "markdown").blocks))


def test_anthropic_messages(compressor: laconic.Compressor) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4000}}
    thinking = {"type": "thinking", "thinking": "The user, who has children, wants quiet.", "signature": "xyz"}
    call = {"type": "tool_use", "id": "t1", "name": "search", "input": {"area": "Estrela"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Two flats are free."}]}
    asked = {"type": "text", "text": ASKED, "cache_control": {"type": "ephemeral"}}
    history: list[Message] = [
        {"role": "user", "content": [image, asked]},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": ANSWERED}]},
        {"role": "user", "content": [{"type": "text", "text": "Could you look for a flat, please?"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Let me see what there is."}, call]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [{"type": "text", "text": FOUND}]},
        {"role": "user", "content": "Which one of them would you take if you were in our place?"},
    ]
    before = copy.deepcopy(history)
    whole = fit(compressor, history, 10_000).length
    assert whole < 1000  # an image is no text
    found = fit(compressor, history, int(0.6 * whole))
    assert history == before
    first, answer = found.messages[:2]
    assert first["content"][0] == image
    assert first["content"][1]["cache_control"] == {"type": "ephemeral"}
    assert answer["content"][0] == thinking
    assert len(answer["content"][1]["text"]) < len(ANSWERED)
    assert found.messages[3:5] == history[3:5]
    assert found.reports[4].why == "tool result"  # and no turn of its own: the newest one begins later
    assert found.reports[6].why == "newest turn"


def test_items_of_the_responses_api_are_left_alone(compressor: laconic.Compressor) -> None:
    items: list[Message] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": ASKED}]},
        {"type": "reasoning", "id": "r1", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "search", "arguments": '{"area": "Estrela"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "Two flats, which are small, are free."},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWERED}]},
        {"role": "user", "content": "And which one is cheaper?"},
    ]
    found = fit(compressor, items, 110)
    assert found.messages[1:4] == items[1:4]
    assert found.length <= 110


def test_what_follows_the_newest_question_belongs_to_its_turn(compressor: laconic.Compressor) -> None:
    history = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": ANSWERED}, NEWEST, CALL, RESULT]
    found = fit(compressor, history, length(history) - 30)
    assert found.messages[2:] == history[2:]


PARAGRAPHS = (
    ASKED,
    ANSWERED,
    "The old stone bridge, which was built in 1764, was closed to lorries in spring after engineers had found cracks "
    "in two of its arches. The repair, which the council approved in March, will cost 3.2 million pounds.",
    "The library, whose reading room is popular with students, is open until seven on weekdays. Its director said that "
    "the number of visitors had risen by a fifth since the café was opened last autumn.",
    "The weekly market was moved to the car park behind the station because the square is being paved again. Most "
    "traders, who had at first complained, now say that their sales are about as good as before.",
    "About 6,000 people came to the festival in July, although it rained on two of the three days. The organisers, a "
    "group of volunteers, lost some money on the food stalls but earned more than expected with the concert.",
)


def kept_by_place(compressor: laconic.Compressor, roles: list[str], rate: float) -> list[float]:
    """The share that is kept of what stands in each place, over all rotations of the paragraphs."""
    kept = [0.0] * len(PARAGRAPHS)
    for shift in range(len(PARAGRAPHS)):
        texts = PARAGRAPHS[shift:] + PARAGRAPHS[:shift]
        history = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)]
        history.append({"role": "user", "content": "So what do you make of it?"})
        found = fit(compressor, history, int(rate * length(history)))
        for i, text in enumerate(texts):
            kept[i] += len(found.messages[i]["content"]) / len(text) / len(PARAGRAPHS)
    return kept


def test_the_oldest_turns_are_shortened_most(compressor: laconic.Compressor) -> None:
    kept = kept_by_place(compressor, ["user"] * len(PARAGRAPHS), 0.6)
    assert all(newer > older - 0.02 for older, newer in pairwise(kept))  # the oldest ones are as short as can be
    assert kept[-1] > 1.5 * kept[0]


def test_what_users_said_is_kept_before_answers(compressor: laconic.Compressor) -> None:
    kept = kept_by_place(compressor, ["user", "assistant"] * 3, 0.6)
    assert all(kept[i] > kept[i + 1] for i in (0, 2, 4))


def test_a_question_of_a_user_outlives_what_is_said_around_it(compressor: laconic.Compressor) -> None:
    history = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": ANSWERED}, NEWEST]
    found = fit(compressor, history, least(compressor, history) + 45)
    assert "Which parts of the city would you recommend" in found.messages[0]["content"]


def test_what_is_taken_up_again_later_outlives_the_rest(compressor: laconic.Compressor) -> None:
    answer = "The museum of tiles is in the east. The tower stands beside the river. The zoo lies north of the centre."
    for name in ("museum", "tower", "zoo"):
        later = {"role": "user", "content": f"How do we get to the {name} from the station?"}
        history = [{"role": "user", "content": "What is there?"}, {"role": "assistant", "content": answer}, later]
        assert name in fit(compressor, history, length(history) - 16).messages[1]["content"]


def test_the_query_decides_what_of_old_turns_is_kept(compressor: laconic.Compressor) -> None:
    history = [*({"role": "user", "content": text} for text in PARAGRAPHS[2:]), {"role": "user", "content": "Tell me."}]
    asked = {"How much will the repair cost?": "3.2 million", "How many people came to the festival?": "6,000"}
    for query, answer in asked.items():
        found = fit(compressor, history, 110, query=query)
        assert answer in " ".join(message["content"] for message in found.messages)


def test_words_to_keep_stay(compressor: laconic.Compressor) -> None:
    most = least(compressor, HISTORY) + 15
    assert "crowds" not in fit(compressor, HISTORY, most).messages[2]["content"]
    assert "crowds" in fit(compressor, HISTORY, most + 15, keep=["crowds"]).messages[2]["content"]
    assert "crowds" not in fit(compressor, HISTORY, 10_000, drop=["crowds"]).messages[2]["content"]


def test_the_oldest_turns_go_with_their_calls_where_that_is_allowed(compressor: laconic.Compressor) -> None:
    history = [SYSTEM, *HISTORY[3:7], *HISTORY[1:3], NEWEST]
    fixed = length([SYSTEM, NEWEST])
    found = fit(compressor, history, fixed + 60, drop_turns=True)
    assert found.length == length(found.messages) <= fixed + 60
    assert [report.index for report in found.reports if report.fate is Fate.LEFT_OUT] == [1, 2, 3, 4]
    assert found.messages[0] == SYSTEM
    assert found.messages[-1] == NEWEST
    assert not any("tool_calls" in message or message["role"] == "tool" for message in found.messages)
    with pytest.raises(laconic.MisfitError, match=f"has {fixed}; allow at least that many$"):
        fit(compressor, history, fixed - 1, drop_turns=True)
    assert fit(compressor, history, fixed, drop_turns=True).messages == [SYSTEM, NEWEST]


def test_no_turn_goes_that_need_not(compressor: laconic.Compressor) -> None:
    most = least(compressor, HISTORY)
    assert fit(compressor, HISTORY, most, drop_turns=True) == fit(compressor, HISTORY, most)
    assert fit(compressor, HISTORY, most - 1, drop_turns=True).count(Fate.LEFT_OUT) == 2


def test_other_units_and_what_a_message_costs_besides(compressor: laconic.Compressor) -> None:
    found = compressor.fit_messages(HISTORY, max_chars=1300)
    calls = len("search") + len('{"area": "Estrela"}')
    assert found.length == calls + sum(len(message["content"]) for message in found.messages) <= 1300
    with_images = fit(compressor, HISTORY, 10_000, overhead=lambda message: 100 if message["role"] == "user" else 0)
    assert with_images.length == length(HISTORY) - 4 * len(HISTORY) + 100 * 3


def test_a_tokenizer_whose_lengths_do_not_add_up(compressor: laconic.Compressor, tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token="?"))  # whole texts are words to it: it merges across spaces
    tokenizer.pre_tokenizer = pre_tokenizers.Split("\n", "isolated")
    tokenizer.train_from_iterator(PARAGRAPHS[2:], trainers.BpeTrainer(vocab_size=600, special_tokens=["?"]))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    whole = compressor.fit_messages(HISTORY, max_tokens=10**6, tokenizer=tmp_path / "tokenizer.json").length
    for share in (0.9, 0.7, 0.5):
        found = compressor.fit_messages(HISTORY, max_tokens=int(share * whole), tokenizer=tmp_path / "tokenizer.json")
        texts = [message["content"] for message in found.messages] + ["search", '{"area": "Estrela"}']
        counted = 4 * len(HISTORY) + sum(len(tokenizer.encode(text, add_special_tokens=False).ids) for text in texts)
        assert 0.93 * share * whole < found.length == counted <= share * whole


def test_the_report_says_what_became_of_each_sentence(compressor: laconic.Compressor) -> None:
    found = fit(compressor, HISTORY, int(0.7 * length(HISTORY)))
    report = next(report for report in found.reports if report.fate is Fate.SHORTENED)
    (text,) = report.texts
    assert text.text == found.messages[report.index]["content"]
    assert any(after is None or after != before for before, after in text.sentences)
    lines = str(found).split("\n")
    assert lines[0] == f"{found.length} of {found.most}"
    assert lines[1] == f"0 system: left alone (system), {found.reports[0].before}"
    assert sum(report.after for report in found.reports) == found.length


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ("hello", "the messages are not a list"),
        ([], "there are no messages"),
        (["hello"], "message 0 is 'hello': give a mapping"),
        ([{"role": "user"}], "message 0 has no content"),
        ([{"role": "user", "parts": [{"text": "hello"}]}], "message 0 has no content"),
        ([{"role": "user", "content": 3}], "the content of message 0 is 3"),
        ([{"role": "user", "content": [3]}], r"the content of message 0 is \[3\]"),
    ],
)
def test_what_are_no_messages_is_refused(compressor: laconic.Compressor, messages: Any, message: str) -> None:
    with pytest.raises(laconic.LaconicError, match=message):
        fit(compressor, messages, 100)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "messages have one maximum"),
        ({"rate": 0.5}, "messages have one maximum"),
        ({"max_chars": 100, "max_words": 10}, "messages have one maximum"),
        ({"max_tokens": 100}, "need a tokenizer"),
        ({"max_chars": 100, "overhead": -1}, "overhead is -1"),
        ({"max_chars": 100, "protect": ("[", "]")}, "protect"),
        ({"max_chars": 100, "keep": ["unheard of"]}, "no message has these words"),
        ({"max_chars": 100, "max_length": 3}, "unknown option 'max_length'"),
    ],
)
def test_options_that_do_not_go_with_messages_are_refused(
    compressor: laconic.Compressor, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(laconic.LaconicError, match=message):
        compressor.fit_messages(HISTORY, **options)


TEXTS = st.sampled_from([ASKED, ANSWERED, FOUND, "", "Thanks!", "- one\n- two", "# Plan\n\nGo home.", "---", "\0", "…"])


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.builds(
                lambda role, text: [{"role": role, "content": text}], st.sampled_from(["user", "assistant"]), TEXTS
            ),
            st.just([CALL, RESULT]),
            st.just([SYSTEM]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.floats(0.05, 1.0),
    st.booleans(),
)
def test_any_history_is_within_its_budget_and_valid_or_refused(
    compressor: laconic.Compressor, groups: list[list[Message]], rate: float, drop_turns: bool
) -> None:
    history = [message for group in groups for message in group]
    most = max(int(rate * length(history)), 1)
    try:
        found = fit(compressor, history, most, drop_turns=drop_turns)
    except laconic.MisfitError as error:
        shortest = error.shortest or 0
        if shortest <= most:
            raise
        most = shortest
        found = fit(compressor, history, most, drop_turns=drop_turns)
    assert found.length == length(found.messages) <= most
    assert found.messages[-1] == history[-1]
    results = [message["tool_call_id"] for message in found.messages if message["role"] == "tool"]
    calls = [call["id"] for message in found.messages for call in message.get("tool_calls", ())]
    assert results == calls
