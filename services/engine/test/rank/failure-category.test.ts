import type { Category } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { categoryAt, categoryOfError } from "../../src/rank/failure-category.ts";
import type { ValueSource } from "../../src/signals/code/value-sources.ts";
import type { AnyCodeSignal, CodeSignal } from "../../src/signals/signal.ts";
import { SourceText } from "../../src/source/source-text.ts";

const seen = {
  subject: {
    kind: "place" as const,
    ...{ file: "a.js", line: 1, function: null, source: new SourceText("source_file", "a.js", "\n") },
  },
  ...{ steps: 1, isEnd: true, towards: null },
};
const step = (how: ValueSource): CodeSignal<"value-step"> => ({
  ...seen,
  kind: "value-step",
  args: { how, name: "amount", code: "body.amount" },
});
const recursion: AnyCodeSignal = { ...seen, kind: "recursion", args: { function: "walk" } };
const forgotten: AnyCodeSignal = { ...seen, kind: "missing-await", args: { callee: "save", how: "forgotten" } };
const rejected: AnyCodeSignal = {
  ...seen,
  steps: 0,
  kind: "deliberate-throw",
  args: { condition: null, isTrue: true },
};

const at = (own: readonly AnyCodeSignal[], said: Category, signals = own): Category =>
  categoryAt(own, { said, event: null, signals });

describe("the category of a failure", () => {
  it("is unknown by the words of an error that no signature matches", () => {
    const error = parseText("Error: out of luck\n    at f (/srv/a.js:1:1)\n");
    expect(categoryOfError({ signatures: [], error, event: null })).toBe("unknown");
  });

  it("is the one that a signal at the place says, whatever the words say", () => {
    expect(at([recursion], "type-mismatch")).toBe("infinite-loop");
    expect(at([forgotten], "unknown")).toBe("missing-await");
  });

  it.each([
    ["environment", "bad-config"],
    ["setting", "bad-config"],
    ["overrun", "boundary"],
    ["answer-field", "schema-drift"],
  ] as const)("follows where a value of the wrong shape comes from: %s", (how, category) => {
    expect(at([step(how)], "null-dereference")).toBe(category);
  });

  it.each([
    ["a response", "await response.json()", "schema-drift"],
    ["a file of the program", 'readFileSync(file, "utf8")', "null-dereference"],
  ] as const)("is a changed schema only where what is missing came from a service: %s", (_, code, category) => {
    const given: AnyCodeSignal = { ...seen, kind: "value-step", args: { how: "outside-answer", name: "rows", code } };
    expect(at([given], "null-dereference")).toBe(category);
  });

  it("isn't changed by the shape of a value when words say more", () => {
    expect(at([step("setting")], "timeout")).toBe("timeout");
  });

  it("is a missing await for an unhandled rejection only where one was forgotten", () => {
    expect(at([], "unhandled-rejection", [forgotten])).toBe("missing-await");
    expect(at([], "unhandled-rejection")).toBe("unhandled-rejection");
  });

  it("is a matter of data where unchecked input fails, or the code rejects it without a known reason", () => {
    expect(at([], "type-mismatch", [step("incoming-body")])).toBe("data-validation");
    expect(at([], "unknown", [rejected])).toBe("data-validation");
  });
});
