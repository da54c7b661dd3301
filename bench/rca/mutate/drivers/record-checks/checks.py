import re

import cerberus
import jsonschema
import schema
import voluptuous as v
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

ADDRESS = {"$id": "urn:address", "type": "object", "properties": {"city": {"type": "string", "minLength": 1}, "zip": {"pattern": "^[0-9]{4}$"}}, "required": ["city", "zip"], "unevaluatedProperties": False}
ORDER = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"line": {"type": "object", "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "exclusiveMinimum": 0}}, "required": ["sku", "price"], "additionalProperties": {"type": "number"}}},
    "type": "object",
    "properties": {"id": {"type": "integer"}, "mail": {"anyOf": [{"pattern": "@"}, {"const": None}]}, "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}, "minItems": 1}, "address": {"$ref": "urn:address"}, "tags": {"uniqueItems": True, "contains": {"enum": ["x", "y"]}}, "on": {"type": "string", "format": "date"}},
    "if": {"properties": {"id": {"minimum": 5}}}, "then": {"required": ["mail"]},
    "dependentRequired": {"lines": ["address"]},
}
registry = Registry().with_resources([("urn:address", Resource(contents=ADDRESS, specification=DRAFT202012))])


def check_with_json_schema(record):
    validator = jsonschema.Draft202012Validator(ORDER, registry=registry, format_checker=jsonschema.FormatChecker())
    errors = sorted(validator.iter_errors(record), key=lambda error: error.json_path)
    if errors:
        best = jsonschema.exceptions.best_match(errors)
        tree = jsonschema.ErrorTree(errors)
        print(best.json_path.split(".")[-1], tree.total_errors, "id" in tree)
    return [f"{error.json_path}: {error.message}" for error in errors]


def check_with_voluptuous(record):
    line = {v.Required("sku"): v.All(str, v.Length(min=2)), v.Required("count"): v.All(int, v.Range(min=1)), v.Optional("price", default=0.0): v.Any(float, int)}
    order = v.Schema({v.Required("id"): int, "mail": v.Email(), "lines": [line], "address": {v.Extra: str}, "tags": v.Unique(), "on": v.Date()}, required=True)
    try:
        return [] if order(record)["lines"][0]["price"] >= 0 else ["price"]
    except v.MultipleInvalid as error:
        return [str(each) for each in error.errors]


def check_with_cerberus(record):
    rules = {
        "id": {"type": "integer", "required": True, "coerce": lambda value: value},
        "mail": {"type": "string", "regex": r"\S+@\S+"},
        "lines": {"type": "list", "minlength": 1, "schema": {"type": "dict", "schema": {"sku": {"type": "string"}, "count": {"min": 1}, "price": {"type": "number", "default": 0}}}},
        "address": {"type": "dict", "schema": {"city": {"empty": False}, "zip": {"required": True, "anyof": [{"type": "string"}, {"type": "integer"}]}}},
        "tags": {"type": "list", "allowed": ["x", "y"]},
        "on": {"type": "string", "check_with": lambda field, value, error: None if re.match(r"\d{4}-", value) else error(field, "not a date")},
    }
    validator = cerberus.Validator(rules, allow_unknown=False, purge_unknown=False)
    if validator.validate(record):
        return [] if validator.document["lines"][0]["price"] else ["price"]
    return [f"{field}: {problems[0]}" for field, problems in sorted(validator.errors.items())]


def check_with_schema(record):
    order = schema.Schema({"id": schema.And(int, lambda value: value > 0), "mail": schema.Regex("@"), "lines": [{"sku": str, "count": schema.Use(int), schema.Optional("price", default=1): schema.Or(int, float)}], "address": dict, schema.Optional("tags"): [schema.Const(str)], "on": str}, ignore_extra_keys=True)
    try:
        return [] if order.validate(record)["lines"][0]["count"] else ["count"]
    except schema.SchemaError as error:
        return [line for line in error.autos if line]
