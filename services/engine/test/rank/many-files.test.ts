import { describe, expect, it } from "vitest";
import type { LocatedFrame } from "../../src/findings/located-frame.ts";
import { parseText } from "../../src/parse/parse.ts";
import { type FailureView, type FileView, unreadView } from "../../src/rank/file-view.ts";
import { inStackOrder } from "../../src/rank/stack-order.ts";
import { SourceText } from "../../src/source/source-text.ts";

const error = parseText(
  'Traceback (most recent call last):\n  File "depot/shelves.py", line 1, in find\nKeyError: 1\n',
);

function located(file: string): LocatedFrame {
  const frame = { function: null, file, line: 1, column: null, origin: "app", async: false } as const;
  return { exception: 0, index: 0, frame: { ...frame, printed: null, context: null }, file, place: null };
}

/** A stack of two files of a project, among so many given ones. */
function failing(given: number): FailureView & { readonly innermost: FileView; readonly caller: FileView } {
  const names = [
    "depot/shelves.py",
    "depot/intake.py",
    ...Array.from({ length: given - 2 }, (_, at) => `depot/p${at}.py`),
  ];
  const files = names.map((name, index): FileView => {
    const source = new SourceText("source_file", name, "pass\n");
    return { ...unreadView(name), source, frames: index < 2 ? [located(name)] : [] };
  });
  const [innermost = unreadView(""), caller = unreadView("")] = files;
  const stack = [innermost, caller].map((view) => ({ frame: located(view.name), view, function: null }));
  const project = { isReported: false, isNamed: false, has: () => true };
  return { ...{ error, files, stack, project, innermost, caller }, signals: [], wraps: [], rarity: () => 0 };
}

function firstOf(given: number): string | undefined {
  const failure = failing(given);
  const ranked = [
    { view: failure.caller, probability: 0.6 },
    { view: failure.innermost, probability: 0.2 },
  ];
  return inStackOrder(ranked, failure).toSorted((one, other) => other.probability - one.probability)[0]?.view.name;
}

describe("a caller that the model has as three times likelier than the innermost file", () => {
  it("comes first among fewer than sixteen files", () => {
    expect(firstOf(15)).toBe("depot/intake.py");
  });

  it("comes after it from sixteen on, which are part of a large project", () => {
    expect(firstOf(16)).toBe("depot/shelves.py");
  });
});
