import { describe, expect, it } from "vitest";
import type { LocatedFrame } from "../../../src/findings/located-frame.ts";
import { parseText } from "../../../src/parse/parse.ts";
import { type FailureView, type FileView, unreadView } from "../../../src/rank/file-view.ts";
import type { RankedFile } from "../../../src/rank/ranked-file.ts";
import { inStackOrder } from "../../../src/rank/stack-order.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traced } from "../../trace/signals-in.ts";

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

function firstIn(ranked: readonly RankedFile[]): string | undefined {
  return ranked.toSorted((one, other) => other.probability - one.probability)[0]?.view.name;
}

/** What comes first of a file off the stack and the innermost one, among so many files. */
async function firstOffStack(given: number, timesLikelier: number, isLed: boolean): Promise<string | undefined> {
  const failure = failing(given);
  const files = {
    "depot/shelves.py": "from depot.p0 import find\nfind().size\n",
    "depot/p0.py": "def find():\n    return None\n",
  };
  const log = `Traceback (most recent call last):
  File "/srv/depot/shelves.py", line 2, in <module>
    find().size
AttributeError: 'NoneType' object has no attribute 'size'
`;
  const signals = (await traced(log, files)).signals.filter(({ subject }) => subject.file === "depot/p0.py");
  const off = { ...(failure.files[2] ?? unreadView("")), signals: isLed ? signals : [] };
  const view = { ...failure, files: failure.files.with(2, off), signals: off.signals };
  const ranked = [
    { view: off, probability: 0.1 * timesLikelier },
    { view: failure.innermost, probability: 0.1 },
  ];
  return firstIn(inStackOrder(ranked, view, { led: 1, origin: 1 }));
}

describe("a file off the stack that a signal leads to", () => {
  it("comes first where it is likelier, however many files are given", async () => {
    expect(await firstOffStack(15, 1.1, true)).toBe("depot/p0.py");
    expect(await firstOffStack(16, 1.1, true)).toBe("depot/p0.py");
    expect(await firstOffStack(40, 1.1, true)).toBe("depot/p0.py");
  });
});

describe("a file off the stack that nothing leads to", () => {
  it("comes first from sixteen files on where it is four times likelier", async () => {
    expect(await firstOffStack(16, 4.1, false)).toBe("depot/p0.py");
    expect(await firstOffStack(40, 4.1, false)).toBe("depot/p0.py");
  });

  it("comes after the innermost file from sixteen on where it is less", async () => {
    expect(await firstOffStack(16, 3.9, false)).toBe("depot/shelves.py");
    expect(await firstOffStack(15, 3.9, false)).toBe("depot/p0.py");
  });
});

function firstOf(
  given: number,
  departures: Readonly<Record<string, number>> = {},
  timesLikelier = 3,
): string | undefined {
  const failure = failing(given);
  const ranked = [
    { view: failure.caller, probability: 0.2 * timesLikelier },
    { view: failure.innermost, probability: 0.2 },
  ];
  return firstIn(inStackOrder(ranked, failure, departures));
}

describe("a caller that the model has as three times likelier than the innermost file", () => {
  it("comes first among fewer than sixteen files", () => {
    expect(firstOf(15)).toBe("depot/intake.py");
  });

  it("comes after it where callers have to be four times likelier", () => {
    expect(firstOf(15, { caller: 4, led: 1 })).toBe("depot/shelves.py");
  });

  it("comes after it from sixteen on, which are part of a large project", () => {
    expect(firstOf(16)).toBe("depot/shelves.py");
    expect(firstOf(16, {}, 3.9)).toBe("depot/shelves.py");
  });

  it("comes first from sixteen on where it is four times likelier", () => {
    expect(firstOf(16, {}, 4.1)).toBe("depot/intake.py");
  });
});
