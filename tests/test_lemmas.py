import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.parse.lemmas import lemma
from laconic.parse.scheme import TAGS


@pytest.mark.parametrize(
    ("tag", "pairs"),
    [
        (
            "NNS",
            "years year  cities city  churches church  boxes box  losses loss  cases case  houses house  viruses virus",
        ),
        (
            "NNS",
            "men man  policewomen policewoman  children child  wives wife  media medium  crises crisis  people people",
        ),
        ("NNS", "movies movie  heroes hero  shoes shoe  excuses excuse  series series  Days day  GPUs gpu  taxis taxi"),
        ("VBZ", "says say  has have  is be  's be  ’s be  goes go  tries try  dies die  watches watch  raises raise"),
        ("VBD", "was be  said say  went go  took take  saw see  lay lie  found find  tried try  died die  Shut shut"),
        ("VBD", "stopped stop  called call  added add  travelled travel  cancelled cancel  fuelled fuel  passed pass"),
        ("VBD", "created create  invited invite  visited visit  limited limit  managed manage  offered offer"),
        ("VBD", "agreed agree  freed free  changed change  hanged hang  argued argue  focused focus  played play"),
        ("VBN", "been be  written write  overtaken overtake  rebuilt rebuild  hoped hope  required require  shed shed"),
        ("VBN", "seen see  undergone undergo  withdrawn withdraw  put put  re-elected re-elect  bed bed"),
        (
            "VBG",
            "being be  making make  running run  dying die  lying lie  using use  seeing see  going go  opening open",
        ),
        ("VBG", "becoming become  travelling travel  falling fall  sing sing  handling handle  crawling crawl"),
        ("VBP", "are be  'm be  've have  found found"),
        ("VB", "be be  've have"),
        ("MD", "wo will  ca can  'll will  'd would  Must must"),
        ("PRP", "I I  me I  Me I  him he  her she  us we  them they  It it  itself itself"),
        ("PRP$", "his his  Their their"),
        ("RB", "n't not  n’t not  Quickly quickly"),
        ("JJR", "better well  bigger big  larger large  easier easy  cheaper cheap  More more  worse bad"),
        ("JJS", "best good  biggest big  latest late  earliest early  highest high  Most most"),
        ("RBR", "earlier early  further far"),
        ("NNP", "London London  U.S. U.S.  NASA NASA"),
        ("NNPS", "Americans Americans"),
        ("NN", "House house  news news"),
        ("TO", "To to  na to"),
        ("``", "“ \"  ‘ '"),
        ("''", "” \"  ’ '"),
        (".", ". .  ? ?"),
    ],
)
def test_lemmas_of_a_tag(tag: str, pairs: str) -> None:
    expected = [tuple(pair.split()) for pair in pairs.split("  ")]
    assert [(form, lemma(form, tag)) for form, _ in expected] == expected


@pytest.mark.parametrize("tag", ["", "XX", "no such tag"])
def test_an_unknown_tag_makes_small_letters(tag: str) -> None:
    assert lemma("Running", tag) == "running"


@given(st.text() | st.text("aeiousdgnrtylmbp'-", max_size=8), st.sampled_from(TAGS))
def test_any_form_has_a_lemma(form: str, tag: str) -> None:
    assert bool(lemma(form, tag)) == bool(form)


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1), st.sampled_from(["NN", "VB", "JJ", "IN", "RB"]))
def test_a_base_form_is_its_own_lemma_or_a_known_one(form: str, tag: str) -> None:
    assert lemma(lemma(form, tag), tag) == lemma(form, tag)
