"""The model card of a network: its data, the training command and its scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from laconic.cards import describe_corpora
from laconic.levels import LEVELS, NESTED
from laconic.model_folders import GRAPH_NAME

CARD_NAME: Final = "NETWORK.md"


def write_card(folder: Path, header: Mapping[str, Any]) -> None:
    """Write the information in a network's header as Markdown."""
    shape, decoding, facts = header["shape"], header["decoding"], header["training"]
    rows = "\n".join(
        f"| {name} | {s['tree_f1']:.4f} | {s['word_f1']:.4f} | {s['exact']:.3f} | {s['rate']:.3f} | "
        f"{s['best_of_k_word_f1']:.4f} | {s['ceiling']:.4f} |"
        for name, s in header["scores"].items()
    )
    level_rows = "\n".join(
        f"| {name}, {level} | {s['word_f1']:.4f} | {s['rate']:.3f} | {s['budget_word_f1']:.4f} | {s['room']:.3f} | "
        f"{s['misfits']:.1%} | {s['ceiling']:.4f} |"
        for name, own in header["level_scores"].items()
        for level, s in own.items()
    )
    sentences = next(iter(header["scores"].values()))["sentences"]
    counts = facts["sentences"]
    thresholds = zip(NESTED, decoding["thresholds"], strict=True)
    of_headlines = of_plain = ""
    of_teachers = "none: what the networks knew before is half of what they learn"
    if facts["plain"] is not None:
        corpora = ", ".join(facts["corpora"])
        of_headlines = f"| gold compressions, headlines | {counts['train']:,} sentences of {corpora} |\n"
        of_plain = f"| plain sentences | {counts['plain']:,} of {facts['plain']}, labelled by the teachers |\n"
        of_teachers = f"{facts['settings']['teachers']} of 12 layers of width 768, trained on the gold and the trees"
    of_strict = "the verdicts"
    if facts["strict"]:
        of_strict = f"on {counts['strict']:,} strict verdicts, {', '.join(facts['strict'])}"
    size = (folder / GRAPH_NAME).stat().st_size / 1e6
    (folder / CARD_NAME).write_text(
        f"""# {header["name"]}

{describe_corpora(facts["about"], [*facts["corpora"], *facts["levels"]])}

A transformer of {shape["layers"]} layers of width {shape["width"]} over word pieces. In one pass it tags, parses, finds
entities and gives p_ret of every edge of the transformed tree for the levels {", ".join(LEVELS)},
and the probability that an edge is needed.
{size:.1f} MB: a graph of 8-bit products, in the format ONNX.

    {facts["command"]}

| | |
|---|---|
{of_headlines}| gold compressions, levels | {counts["levels"]:,} of {", ".join(facts["levels"])}: \
each sentence at three levels |
| verdicts on deletions | of {counts["verdicts"]:,} compressions, {", ".join(facts["verdicts"]) or "none"}: \
which an editor would undo |
| trees, tags and entities | `{facts["parser"]}`, on all these and {counts["treebank"]:,} of {facts["treebank"]} |
{of_plain}| polished on | {counts["polish"]:,} sentences of {", ".join(facts["polish_corpora"])}, \
on the levels and {of_strict} |
| weights to start from | {facts["start"]} |
| teachers | {of_teachers} |
| settings | {", ".join(f"{name} {value}" for name, value in facts["settings"].items())} |
| tuned on {facts["dev"]} | ρ {decoding["rho"]}, temperature {decoding["temperature"]}, weight of the words \
{decoding["word_weight"]}, {decoding["candidates"]} candidates |
| tuned on {facts["levels_dev"]} | thresholds {", ".join(f"{level} {value}" for level, value in thresholds)} |
| levels | weight of edges {decoding["edge_weight"]}, of needs {decoding["need_weights"]}, of the words' probabilities \
{decoding["probability_weights"]} |

Headlines, on `{facts["dev"]}` ({sentences:,} sentences; what is tuned was tuned on it), raw text in, on the network's
own words and trees. "full" is the same network without quantisation:

| | tree F1 | word F1 | exact | rate | word F1, best of 5 | ceiling |
|---|---|---|---|---|---|---|
{rows}

Levels, on `{facts["levels_dev"]}`, with the guard: without a budget, and within the length of the editor's compression
(`--nearest`: if nothing faithful fits, the shortest that is faithful):

| | word F1 | rate | word F1 within the length | room used | nothing fits | ceiling |
|---|---|---|---|---|---|---|
{level_rows}

Intended use: shortening English sentences of every kind, without a GPU.
""",
        encoding="utf-8",
    )
