"""The model card of a maximum entropy model: its data, the training command and its scores."""

from __future__ import annotations

from pathlib import Path

from laconic.cards import describe_corpora
from laconic.model_folders import NETWORK
from laconic.score.model import Model


def write_card(path: Path, model: Model, size: int) -> None:
    """Write the information in the model's header as Markdown."""
    header = model.header
    facts, scores = header["training"], header["scores"]
    corpora = " ".join(facts["corpora"])
    trees = " and ".join(f"`{name}`" for name in facts["trees"])
    parser = "" if model.parser == NETWORK else f" --parser {model.parser}"
    own = " --trees corpus" if set(facts["trees"]) != {facts["parser"]} else ""
    said = f' --about "{facts["about"]}"' if facts["about"] else ""
    rows = "\n".join(
        f"| {method} | {s['tree_f1']:.4f} | {s['word_f1']:.4f} | {s['exact']:.3f} | {s['rate']:.3f} | "
        f"{s['best_of_k_word_f1']:.4f} |"
        for method, s in scores.items()
    )
    ceiling = next(iter(scores.values()))
    path.write_text(f"""# Model card

{describe_corpora(facts["about"], facts["corpora"])}

Linear models over the transformed dependency trees of {trees}: deletion of an edge (maximum
entropy), number of children that a node retains (averaged perceptron), and, for the ILP baseline, the worth of an edge
(averaged structured perceptron). {size / 1e6:.1f} MB, plain arrays.

    laconic train {corpora} --dev {facts["dev"]}{parser}{own}{said} --out MODEL_DIR

| | |
|---|---|
| training sentences | {facts["sentences"]:,} |
| trees | {", ".join(f"{count:,} of `{name}`" for name, count in facts["trees"].items())} |
| edges | {facts["edges"]:,}, {facts["deleted"]:.1%} of them deleted |
| edge features | {facts["features"]:,}, of which {facts["features_kept"]:,} carry weight and are kept |
| nodes | {facts["nodes"]:,}; retained children 0, 1, 2, 3, 4+: {", ".join(f"{c:.1%}" for c in facts["size_classes"])} |
| node features | {facts["nss_features"]:,}, of which {facts["nss_features_kept"]:,} are kept |
| edge features of the ILP | the same, of which {facts["ilp_features_kept"]:,} are kept |
| passes of the ILP's perceptron | {header["ilp_passes"]} |
| accuracy of the subset sizes on {facts["dev"]} | {facts["nss_accuracy_on_dev"]:.1%} |
| tuned on {facts["dev"]} | ρ {header["rho"]} |
| of the subset sizes | temperature {header["temperature"]:.2f}, weight {header["size_weight"]}, beam {header["beam"]} |
| settings | {", ".join(f"{name} {value}" for name, value in facts["settings"].items())} |

Scores on `{facts["dev"]}` ({ceiling["sentences"]:,} sentences; what is tuned was tuned on it), on trees of
`{facts["dev_trees"]}`:

| method | tree F1 | word F1 | exact | rate | word F1, best of 5 |
|---|---|---|---|---|---|
{rows}

The best subtree reaches a word F1 of {ceiling["ceiling"]:.4f} (ceiling); {ceiling["connected"]:.1%} of the gold
compressions are exactly one subtree. How each number is computed: `laconic.evaluate`.

Intended use: shortening single sentences of the kind that it was trained on.
""")
