"""Records of the Google corpus, written for the purpose."""

from __future__ import annotations

from typing import Any


def source_tree(spec: str, *, ids: list[int] | None = None, **more: Any) -> tuple[dict[str, Any], str]:
    """A `source_tree` and its sentence; words of a node are joined by "_", and heads count nodes."""
    rows = [token.rsplit("/", 3) for token in spec.split()]
    counts = [row[0].lstrip("=").count("_") + 1 for row in rows]
    first = [sum(counts[:i]) for i in range(len(rows))]
    ids = ids or list(range(sum(counts)))
    nodes, edges, text = [{"form": "ROOT", "word": [{"id": -1, "form": "ROOT", "tag": "ROOT"}]}], [], ""
    for i, (form, tags, label, head) in enumerate(rows):
        words = form.lstrip("=").split("_")
        text += ("" if form.startswith("=") or not text else " ") + " ".join(words)
        own = [ids[first[i] + j] for j in range(len(words))]
        entries = [
            {"id": own[j], "form": word, "stem": {"was": "be", "said": "say"}.get(word, word), "tag": tag}
            for j, (word, tag) in enumerate(zip(words, tags.split("_"), strict=True))
        ]
        nodes.append({"form": " ".join(words), "word": entries, "head_word_index": 0})
        parent = -1 if int(head) == i else ids[first[int(head)]]
        edges.append({"parent_id": parent, "child_id": own[0], "label": label})
    return {"id": "0", "sentence": text, "node": nodes, "edge": edges, **more}, text
