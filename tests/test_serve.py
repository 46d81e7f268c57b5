"""The service: what it answers, and whom."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serving import POLICE, Service, serving

import laconic
from laconic.errors import LaconicError
from laconic.options import json_schema
from laconic.serve.openapi import describe
from laconic.serve.server import serve
from laconic.serve.settings import Settings, named

DOCUMENT = f"# Report\n\n{POLICE} The trial, which many people want to see, begins on Monday at nine.\n\n- Rain fell.\n"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving("--workers", "1", "--max-texts", "20", "--max-body", "100000") as started:
        yield started


def test_compressions_are_those_of_the_library(service: Service, compressor: laconic.Compressor) -> None:
    options = {"k": 3, "max_chars": 60, "keep": ["Friday", [0, 3]], "nearest": True, "explain": True}
    answer = service.ask("/v1/compress", {"texts": [POLICE, "Rain fell."], **options})
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    expected = compressor.batch([POLICE, "Rain fell."], errors="return", **{**options, "keep": ["Friday", (0, 3)]})
    assert isinstance(expected[1], LaconicError)  # it has no Friday
    first, second = answer.data["results"]
    assert first == {
        **json.loads(json.dumps(expected[0].to_dict())),
        "best": str(expected[0]),
        "lengths": first["lengths"],
    }
    assert first["lengths"] == {"chars": len(first["best"]), "words": len(first["best"].split())}
    assert second["detail"] == str(expected[1])


def test_a_text_that_is_refused_has_a_problem_and_the_others_their_results(service: Service) -> None:
    results = service.ask("/v1/compress", {"texts": [POLICE, "Rain fell.", POLICE], "max_chars": 12}).data["results"]
    assert [result.get("status", 200) for result in results] == [422, 200, 422]
    assert results[1]["best"] == "Rain fell."
    assert results[0]["type"] == "urn:laconic:problem:misfit"
    assert results[0]["shortest"] > 12
    assert results[2]["number"] == 2


def test_tokens_are_counted_and_limited_by_a_tokenizer_of_the_service(service: Service) -> None:
    asked = {"texts": [POLICE], "max_tokens": 9, "tokenizer": "wordpiece"}
    assert service.ask("/v1/compress", asked).data["results"][0]["lengths"]["tokens"] <= 9
    counted = service.ask("/v1/compress", {"texts": ["Unbelievable!"], "tokenizer": "wordpiece"}).data["results"][0]
    assert counted["lengths"] == {"chars": 13, "words": 1, "tokens": 2}
    assert "name one of wordpiece" in service.ask("/v1/compress", {"texts": ["a"], "max_tokens": 3}).data["detail"]


def test_documents_fit_each_and_together(service: Service, compressor: laconic.Compressor) -> None:
    each = service.ask("/v1/fit", {"documents": [DOCUMENT, "Short."], "max_chars": 100, "query": "When is the trial?"})
    first, second = each.data["results"]
    assert first["text"] == compressor.fit(DOCUMENT, max_chars=100, query="When is the trial?").text
    assert first["lengths"]["chars"] <= 100
    assert second["text"] == "Short."
    together = service.ask("/v1/fit", {"documents": [DOCUMENT, DOCUMENT], "max_chars": 100, "together": True}).data
    assert together["text"] == compressor.fit_all([DOCUMENT, DOCUMENT], max_chars=100).text
    assert len(together["results"]) == 2
    assert service.ask("/v1/fit", {"documents": [DOCUMENT], "max_chars": 2}).data["results"][0]["shortest"] > 2


@pytest.mark.parametrize(
    "options", [{}, {"rate": 2}, {"max_chars": 9, "query": "?"}, {"max_chars": 9, "keep": [[0, 2]]}]
)
def test_a_fit_that_cannot_be_asked_for_is_refused_as_a_whole(service: Service, options: dict[str, object]) -> None:
    answer = service.ask("/v1/fit", {"documents": [DOCUMENT, "Short."], **options})
    assert (answer.status, answer.data["type"]) == (422, "urn:laconic:problem:bad-option")


def test_trees_as_data_and_as_a_drawing(service: Service, compressor: laconic.Compressor) -> None:
    data = service.ask("/v1/tree", {"texts": [POLICE], "level": "short"}).data["results"][0]
    assert data["sentences"] == json.loads(
        json.dumps([tree.to_dict() for tree in compressor.tree(POLICE, level="short")])
    )
    assert service.ask("/v1/tree", {"texts": [POLICE], "format": "svg"}).data["results"][0]["svg"].startswith("<svg")


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"{", 400, "send a JSON object"),
        (b"\xff\xfe{}", 400, "send a JSON object"),
        (b"[" * 5000, 400, "send a JSON object"),
        (b"[1]", 400, "send a JSON object"),
        ({"texts": []}, 422, "texts is missing or not a list of texts"),
        ({"texts": "one"}, 422, "texts is missing or not a list of texts"),
        ({"texts": [1]}, 422, "texts is missing or not a list of texts"),
        ({"texts": ["a"], "nosuch": 1}, 422, "unknown option 'nosuch'"),
        ({"texts": ["a"], "k": 101}, 422, "at most 100"),
        ({"texts": ["a"], "k": True}, 422, "k is True"),
        ({"texts": ["a"], "level": "tiny"}, 422, "unknown level 'tiny'"),
        ({"texts": ["a"], "explain": "yes"}, 422, "explain is 'yes'"),
        ({"texts": ["a"], "rho": 0.4}, 422, "rho belongs to the level headline"),
        ({"texts": ["a"], "min_chars": 9, "max_chars": 3}, 422, "give a minimum up to the maximum"),
        ({"texts": ["a"], "method": "ilp"}, 422, "method cannot be given here"),
        ({"texts": ["a"] * 21}, 422, "send at most 20"),
        ({"texts": ["a " * 40_000], "k": 100}, 413, "send fewer at once"),
        ({"texts": ["a " * 60_000]}, 413, "more than 100000 bytes"),
    ],
)
def test_bad_requests_are_problems(service: Service, body: object, status: int, says: str) -> None:
    answer = service.ask("/v1/compress", body)
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.data["status"] == status
    assert answer.data["type"].startswith("urn:laconic:problem:")
    assert says in answer.data["detail"]


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../../model", "src/laconic/models/default", "tokenizer.json", "small"]
)
@pytest.mark.parametrize("field", ["model", "tokenizer"])
def test_no_file_is_opened_for_a_request(service: Service, path: str, field: str) -> None:
    answer = service.ask("/v1/compress", {"texts": ["a"], "max_tokens": 3, "tokenizer": "wordpiece", field: path})
    assert (answer.status, answer.data["type"]) == (422, "urn:laconic:problem:bad-option")
    assert "use one of" in answer.data["detail"]


@pytest.mark.parametrize(
    ("path", "method", "headers", "status"),
    [
        ("/nosuch", "GET", {}, 404),
        ("/v1/compress", "GET", {}, 405),
        ("/v1/compress", "POST", {"Content-Type": "text/plain"}, 415),
        ("/v1/compress", "POST", {"Host": "evil.example"}, 403),
        ("/", "GET", {"Host": "evil.example:80"}, 403),
        ("/", "GET", {"Host": "[nonsense"}, 403),
        ("/", "GET", {"Host": "192.168.0.7"}, 403),
        ("/", "GET", {"Host": "evil.example@localhost"}, 403),
        ("/v1/compress", "POST", {"Origin": "http://evil.example"}, 403),
        ("/v1/models", "GET", {"Origin": "null"}, 403),
        ("/health", "GET", {"Host": "localhost:1"}, 200),
    ],
)
def test_who_is_answered(service: Service, path: str, method: str, headers: dict[str, str], status: int) -> None:
    body = {"texts": ["a"]} if method == "POST" else None
    answer = service.ask(path, body, method=method, headers=headers)
    assert answer.status == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    if status != 200:
        assert answer.data["status"] == status


def test_the_page_at_its_own_address_may_ask(service: Service) -> None:
    assert service.ask("/v1/compress", {"texts": ["a"]}, headers={"Origin": service.url.rstrip("/")}).status == 200


def test_what_can_be_read_has_a_head(service: Service) -> None:
    for path in ("/", "/health", "/ready", "/metrics", "/openapi.json", "/v1/models"):
        head = service.ask(path, method="HEAD")
        assert (head.status, head.body) == (200, b"")
        assert int(head.headers["content-length"]) > 0
    assert service.ask("/v1/compress", method="HEAD").status == 405


def test_how_it_is(service: Service) -> None:
    before = service.metric("laconic_texts_total")
    assert service.ask("/health").data == {"status": "ok"}
    assert service.ask("/ready").data == {"status": "ready"}
    service.ask("/v1/compress", {"texts": ["a", "b"]})
    assert service.metric("laconic_texts_total") == before + 2
    assert service.metric("laconic_workers") == 1
    models = service.ask("/v1/models").data
    assert (models["models"], models["tokenizers"]) == (["default"], ["wordpiece"])


def test_the_description_has_the_options_of_laconic(service: Service) -> None:
    described = service.ask("/openapi.json").data
    assert described == json.loads(json.dumps(describe(Settings(max_texts=20))))
    fields = described["components"]["schemas"]["Compress"]["properties"]
    assert set(json_schema("compress")["properties"]) - {"method"} <= set(fields)
    for path, operation in described["paths"].items():
        for example in operation.get("post", {}).get("requestBody", {}).get("content", {}).values():
            for each in example["examples"].values():
                results = service.ask(path, each["value"]).data["results"]
                assert all("status" not in result for result in results), each


def test_a_key_is_asked_for_where_there_is_one() -> None:
    with serving("--workers", "1", key="correct-horse-battery") as service:
        assert service.ask("/v1/compress", {"texts": ["a"]}).status == 401
        assert service.ask("/metrics").status == 401
        wrong = service.ask("/v1/models", headers={"Authorization": "Bearer correct-horse"})
        assert (wrong.status, wrong.headers["www-authenticate"]) == (401, "Bearer")
        for headers in ({"Authorization": "Bearer correct-horse-battery"}, {"X-API-Key": "correct-horse-battery"}):
            assert service.ask("/v1/compress", {"texts": ["a"]}, headers=headers).status == 200
        assert service.ask("/").status == service.ask("/health").status == service.ask("/ready").status == 200
        assert b"correct-horse" not in service.ask("/openapi.json").body
    assert not any("correct-horse" in line for line in service.said)


def test_a_service_that_cannot_be_is_refused_in_a_line() -> None:
    command = [sys.executable, "-m", "laconic", "serve", "--model", "nosuch", "--port", "0"]
    found = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)
    assert "there is no model at nosuch" in found.stderr
    with pytest.raises(LaconicError, match="workers is 0: give 1 or more"):
        Settings(workers=0)
    with pytest.raises(LaconicError, match="unknown host"):
        serve(host="no such host")


def test_models_and_tokenizers_have_names() -> None:
    assert named(["default", "mine=models/a", "tok/cl100k.json"], "model") == {
        "default": "default", "mine": "models/a", "cl100k": "tok/cl100k.json",
    }  # fmt: skip
    for wrong in (["=a"], ["a="], ["a", "a=b"]):
        with pytest.raises(LaconicError, match="NAME"):
            named(wrong, "model")
    with pytest.raises(LaconicError, match="16 characters or more"):
        Settings(key="short")


schema = schemathesis.openapi.from_dict(describe(Settings(max_texts=20)))


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_ends_in_a_server_error(case: schemathesis.Case, service: Service) -> None:
    # That a minimum is up to its maximum, or a span ends after its start, no schema says.
    case.call_and_validate(base_url=service.url, excluded_checks=[positive_data_acceptance])
