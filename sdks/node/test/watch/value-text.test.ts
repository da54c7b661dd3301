import { describe, expect, it } from "vitest";
import type { FieldRules } from "../../src/core/redact.ts";
import { ValueReader } from "../../src/watch/read-value.ts";
import { valueText } from "../../src/watch/value-text.ts";

const rules: Pick<FieldRules, "ruleOf"> = { ruleOf: () => undefined };
const reader = new ValueReader(rules as FieldRules);
const written = (name: string, value: unknown): string =>
  valueText(reader.value(value, new Set(["dbPassword", "value"])), name);

describe("a value in text", () => {
  it.each([
    ["a text", "hunter2"],
    ["a number", 12_345_678],
    ["a bigint", 12_345_678n],
    ["a field", { value: "hunter2" }],
    ["an item", [["hunter2"]]],
  ])("isn't written under a credential's name: %s", (_what, value) => {
    expect(written("dbPassword", value)).toBe("[redacted]");
    expect(written("settings", { dbPassword: value })).toBe('{"dbPassword": [redacted], …}');
  });

  it("says under a credential's name that there is none", () => {
    expect(written("dbPassword", undefined)).toBe("undefined");
    expect(written("dbPassword", null)).toBe("null");
  });

  it("has only the fields of an object that are named, which aren't listed", () => {
    expect(written("one", { value: 1, other: 2 })).toBe('{"value": 1, …}');
    expect(written("one", { other: 2 })).toBe("{…}");
    expect(written("one", { value: { value: { value: 1 } } })).toBe('{"value": {"value": [object], …}, …}');
  });

  it("has the fields that an object inherits, unless from a Proxy, and calls no getter", () => {
    class Base {
      get dbPassword() {
        throw new Error("called");
      }
    }
    Object.assign(Base.prototype, { value: 1 });
    expect(written("one", new (class extends Base {})())).toBe('{"dbPassword": [redacted], "value": 1, …}');
    const traps = new Proxy({ value: 1 }, { getOwnPropertyDescriptor: () => expect.unreachable() });
    expect(written("one", Object.create(traps))).toBe("{…}");
  });

  it("is written under another name", () => {
    expect(written("size", 12_345_678)).toBe("12345678");
    expect(written("items", [["a"], 1n])).toBe('[["a"], 1n]');
  });
});
