"""Drawings show everything a tree has, legibly, whatever the words are."""

import random
import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest

from laconic.tree.draw import as_svg, as_text
from laconic.tree.tree import ROOT, Coreference, Edge, Node, Tree

SVG = "{http://www.w3.org/2000/svg}"


def make(words, edges, coreferences=()):
    nodes = tuple(Node(word, word.split()[-1], ()) for word in words)
    pairs = tuple(Coreference(*pair, words[pair[0]], (0, 1)) for pair in coreferences)
    return Tree(" ".join(words), nodes, tuple(Edge(*edge) for edge in edges), pairs)


@pytest.fixture
def tree():
    return make(
        ["Police", "said", "the man", "who", "robbed", "a bank", "was arrested"],
        [
            (ROOT, 1, "root", 0.2),
            (ROOT, 4, "root", 0.07),
            (ROOT, 6, "root", 0.82),
            (1, 0, "nsubj", 0.96),
            (6, 2, "nsubjpass", 0.95),
            (4, 3, "nsubj", 0.97),
            (2, 4, "relcl", 0.5),
            (4, 5, "dobj", 0.49),
            (1, 6, "ccomp", 0.99),
        ],
        [(3, 2)],
    )


def random_tree(seed):
    """A tree of any shape, crossing edges and all."""
    rng = random.Random(seed)
    size = rng.randint(1, 14)
    order = rng.sample(range(size), size)
    edges = [
        (rng.choice(order[:i]), n, rng.choice(["in", "nsubjpass"]), rng.random()) for i, n in enumerate(order) if i
    ]
    edges += [(ROOT, n, "root", rng.random()) for n in sorted({order[0], *rng.sample(order, size // 3)})]
    pairs = [rng.sample(range(size), 2) for _ in range(rng.randint(0, 3) if size > 1 else 0)]
    return make(["x" * rng.randint(1, 12) for _ in range(size)], edges, pairs)


def drawn(*trees):
    return ET.fromstring(as_svg(trees))


def first_group(*trees):
    return drawn(*trees).find(f"{SVG}g")


def texts(root, size=None):
    found = (element for element in root.iter(f"{SVG}text") if size in (None, element.get("font-size")))
    return ["".join(element.itertext()) for element in found]


def lines(group, name):
    return [path for path in group.iter(f"{SVG}path") if path.get("class") == name]


def box(rect):
    x, y, width, height = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def segments(path):
    """The three straight pieces of an arc, as boxes without an area."""
    first, foot, *_, last, _, end = map(float, re.findall(r"-?[\d.]+", path.get("d")))
    y = float(re.search(r"([\d.]+)H", path.get("d"))[1])
    return [(first, min(foot, y), first, max(foot, y)), (first, y, last, y), (last, min(end, y), last, max(end, y))]


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_text_shows_root_edges_then_branches_then_coreferences(tree):
    expected = """\
root               0.20  said
root               0.07  robbed
root               0.82  was arrested

┬                        said
├─ nsubj           0.96  Police
└─ ccomp           0.99  was arrested
   └─ nsubjpass    0.95  the man
      └─ relcl     0.50  robbed
         ├─ nsubj  0.97  who
         └─ dobj   0.49  a bank

coref: who = the man"""
    assert as_text(tree) == expected


def test_text_draws_all_nodes_without_a_parent():
    tree = make(["a", "b", "c"], [(ROOT, 0, "root", 0.5), (ROOT, 2, "root", 0.5), (2, 1, "dep", 0.5)])
    branches = as_text(tree).split("\n\n")[1].splitlines()
    assert branches == ["─             a", "┬             c", "└─ dep  0.50  b"]


def test_text_keeps_the_line_of_a_branch_beside_deeper_ones():
    tree = make(["a", "b", "c", "d"], [(ROOT, 0, "root", 0.5), (0, 1, "x", 0.5), (1, 2, "y", 0.5), (0, 3, "z", 0.5)])
    branches = [line.split("  0.50")[0].rstrip() for line in as_text(tree).split("\n\n")[1].splitlines()[1:]]
    assert branches == ["├─ x", "│  └─ y", "└─ z"]


def test_text_has_no_column_of_probabilities_without_a_model():
    tree = make(["a", "b"], [(ROOT, 0, "root", None), (0, 1, "dep", None)])
    assert as_text(tree) == "root    a\n\n┬       a\n└─ dep  b"


def test_text_has_no_control_characters():
    shown = as_text(make(["\x1b[31mred\nline"], [(ROOT, 0, "root", 0.5)]))
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 3


def test_text_of_a_very_deep_tree():
    size = 2000
    edges = [(ROOT, 0, "root", 0.5), *((n, n + 1, "dep", 0.5) for n in range(size - 1))]
    shown = as_text(make([f"w{n}" for n in range(size)], edges)).splitlines()
    assert len(shown) == size + 2
    assert shown[-1].endswith("└─ dep  0.50  w1999")


def test_text_of_an_empty_tree_is_empty():
    assert as_text(make([], [])) == ""


def test_svg_shows_the_nodes_in_sentence_order_behind_a_bold_root(tree):
    group = first_group(tree)
    assert texts(group, "15") == ["root", *(node.text for node in tree.nodes)]
    shown = [element for element in group.iter(f"{SVG}text") if element.get("font-size") == "15"]
    places = [float(element.get("x")) for element in shown]
    assert places == sorted(places)
    assert shown[0].find(f"{SVG}tspan").get("font-weight") == "bold"


def test_svg_shows_every_label_with_its_probability(tree):
    labels = [text for text in texts(first_group(tree), "11.5") if text != "coref"]
    assert sorted(labels) == sorted(f"{edge.label} {edge.p_ret:.2f}" for edge in tree.edges)


def test_svg_shows_bare_labels_and_no_legend_without_a_model():
    root = drawn(make(["a", "b"], [(ROOT, 0, "root", None), (0, 1, "dep", None)]))
    assert sorted(texts(root, "11.5")) == ["dep", "root"]


def test_svg_arrows_point_at_the_dependents():
    group = first_group(make(["left", "right"], [(ROOT, 1, "root", None), (1, 0, "dep", None)]))
    dep, root = (segments(path) for path in lines(group, "plain"))
    heads = [path.get("d") for path in group.iter(f"{SVG}path") if not path.get("class")]
    assert [float(re.match(r"M([\d.]+)", head)[1]) for head in heads] == [dep[0][0], root[2][0]]


def test_svg_sets_likely_edges_apart_by_colour_and_by_line(tree):
    group = first_group(tree)
    kept, cut = lines(group, "kept"), lines(group, "cut")
    assert len(kept) == sum(edge.p_ret >= 0.5 for edge in tree.edges)
    assert len(cut) == sum(edge.p_ret < 0.5 for edge in tree.edges)
    for attribute in ("stroke", "stroke-width", "stroke-dasharray"):
        assert kept[0].get(attribute) != cut[0].get(attribute)


def test_svg_draws_coreferences_dashed_below_the_words(tree):
    group = first_group(tree)
    (coref,) = lines(group, "coref")
    assert re.fullmatch(r"\d+ \d+", coref.get("stroke-dasharray"))
    row = max(box(rect)[3] for rect in group.iter(f"{SVG}rect") if rect.get("fill") != "white")
    assert all(piece[1] > row for piece in segments(coref))


@pytest.mark.parametrize("seed", range(60))
def test_svg_labels_overlap_neither_each_other_nor_other_arcs(seed):
    group = first_group(random_tree(seed))
    labels = [box(rect) for rect in group.iter(f"{SVG}rect") if rect.get("fill") == "white"]
    words = [box(rect) for rect in group.iter(f"{SVG}rect") if rect.get("fill") != "white"]
    arcs = [segments(path) for path in group.iter(f"{SVG}path") if path.get("class")]
    assert len(labels) == len(arcs)
    assert not any(overlap(one, other) for one, other in combinations(labels + words, 2))
    for label in labels:
        assert sum(any(overlap(label, piece) for piece in arc) for arc in arcs) == 1
    for (a, a_y, b, _), (c, c_y, d, _) in combinations([arc[1] for arc in arcs], 2):
        assert a_y != c_y or b < c or d < a


@pytest.mark.parametrize("heads", [[3, 3, 3, ROOT, 3, 3, 3], [1, 2, 3, ROOT, 3, 4, 5], [2, 0, ROOT, 4, 2, 6, 4]])
def test_svg_arcs_cross_only_where_they_must(heads):
    projective = make(["w"] * len(heads), [(head, n, "dep", 0.9) for n, head in enumerate(heads) if head != ROOT])
    arcs = [segments(path) for path in lines(first_group(projective), "kept")]
    assert len(arcs) == len(heads) - 1
    legs, tops = [leg for arc in arcs for leg in arc[::2]], [arc[1] for arc in arcs]
    assert not [leg for leg in legs for a, y, b, _ in tops if a < leg[0] < b and leg[1] < y < leg[3]]


CROWDED = make(["w"] * 30, [(n % 2, n, "dep", 0.9) for n in range(2, 30)])


@pytest.mark.parametrize("tree", [CROWDED, *map(random_tree, range(20))])
def test_svg_arcs_end_apart_from_each_other(tree):
    group = first_group(tree)
    feet = sorted(leg[0] for name in ("kept", "cut") for path in lines(group, name) for leg in segments(path)[::2])
    assert all(b - a > 9 for a, b in pairwise(feet))


def test_svg_holds_all_it_draws(tree):
    root = drawn(tree, random_tree(3))
    width, height = float(root.get("width")), float(root.get("height"))
    for group in root.iter(f"{SVG}g"):
        dx, dy = map(float, re.findall(r"[\d.]+", group.get("transform")))
        for left, top, right, bottom in map(box, group.iter(f"{SVG}rect")):
            assert left + dx > 0
            assert top + dy > 0
            assert right + dx < width
            assert bottom + dy < height


def test_svg_escapes_markup_and_replaces_what_xml_forbids():
    tree = make(['<b> & "c"\x00\x0b\ud800\uffff'], [(ROOT, 0, "<&>", 0.5)])
    as_svg([tree]).encode()
    shown = [text.strip() for text in texts(drawn(tree))]
    assert '<b> & "c"' in shown
    assert "<&> 0.50" in shown


def test_svg_has_the_sentence_as_title(tree):
    assert drawn(tree).findtext(f"{SVG}title") == tree.text


def test_svg_stacks_trees_below_each_other(tree):
    first, second, *_ = drawn(tree, tree).findall(f"{SVG}g")
    tops = [float(group.get("transform").split()[1].rstrip(")")) for group in (first, second)]
    assert tops[1] > tops[0] + max(box(rect)[3] for rect in first.iter(f"{SVG}rect"))


@pytest.mark.parametrize("trees", [[], [make([], [])], [make(["alone"], [])]])
def test_svg_of_little_is_small_and_valid(trees):
    root = drawn(*trees)
    assert 0 < float(root.get("width")) < 200
    assert 0 < float(root.get("height")) < 200
