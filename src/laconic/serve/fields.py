"""The fields of requests: laconic's options, plus texts, and names of models and tokenizers.

Models and tokenizers are names that the service was started with, never paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from laconic.errors import LaconicError
from laconic.options import check_json, json_schema
from laconic.serve.problems import bad_option
from laconic.serve.settings import WORDPIECE, Settings

#: The endpoints under /v1/, and the names of the fields with their texts.
ENDPOINTS: Final[Mapping[str, str]] = {"compress": "texts", "fit": "documents", "tree": "texts"}

_FLAG: Final = {"type": "boolean", "default": False}
#: Fields that are not options of laconic.
_OWN: Final[Mapping[str, Mapping[str, dict[str, Any]]]] = {
    "compress": {},
    "fit": {
        "together": {**_FLAG, "description": "One budget for all documents, not one for each."},
        "explain": {**_FLAG, "description": "Say what is gone, and why."},
    },
    "tree": {"format": {"enum": ["json", "svg"], "default": "json", "description": "Data, or a drawing."}},
}
#: Options that a service does not offer: other methods need a solver or model of their own, tokenizers are named.
_WITHOUT: Final = frozenset({"method", "tokenizer"})


class Fields:
    """The fields of an endpoint of a service with these settings."""

    def __init__(self, endpoint: str, settings: Settings) -> None:
        self.endpoint = endpoint
        self._settings = settings

    @property
    def texts(self) -> str:
        """The name of the field with the texts."""
        return ENDPOINTS[self.endpoint]

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a request."""
        known = json_schema(self.endpoint)["properties"]
        options = {name: schema for name, schema in known.items() if name not in _WITHOUT}
        if "k" in options:
            options["k"] = {**options["k"], "maximum": self._settings.max_k}
        texts = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": self._settings.max_texts}
        return {
            "type": "object",
            "properties": {self.texts: texts, **options, **self._own},
            "required": [self.texts],
            "additionalProperties": False,
        }

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check the given values other than texts; raises a `Problem` for an invalid one."""
        own = self._own
        for name in given.keys() & own.keys():
            allowed = own[name].get("enum", (True, False))
            if not any(given[name] is each or (given[name] == each and isinstance(each, str)) for each in allowed):
                listed = ", ".join(map(str, allowed)).lower() if allowed == (True, False) else ", ".join(allowed)
                raise bad_option(f"{name} is {given[name]!r}: use one of {listed}")
        options = {name: value for name, value in given.items() if name not in own}
        for name in sorted(options.keys() & _WITHOUT):
            raise bad_option(f"{name} cannot be given here: leave it out")
        try:
            found = check_json(self.endpoint, options) if options else {}
        except LaconicError as error:
            raise bad_option(error) from None
        if found.get("k", 1) > self._settings.max_k:
            raise bad_option(f"k is {found['k']}: ask for at most {self._settings.max_k} compressions of a sentence")
        return found | {name: value for name, value in given.items() if name in own}

    @cached_property
    def _own(self) -> dict[str, dict[str, Any]]:
        """The fields that are not options of laconic, or that differ here."""
        models, tokenizers = list(self._settings.models), [*self._settings.tokenizers, WORDPIECE]
        model = {"enum": models, "default": models[0], "description": "The model, by its name."}
        tokenizer = {"enum": tokenizers, "description": "The tokenizer that counts tokens, by its name."}
        names = {"model": model} if self.endpoint == "tree" else {"model": model, "tokenizer": tokenizer}
        return {**names, **_OWN[self.endpoint]}
