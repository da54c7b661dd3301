import { describe, expect, it } from "vitest";
import {
  decisiveSignals,
  decisiveWeightsByKind,
  withDecisivePlaces,
  withNamedFiles,
} from "../../src/rank/decisive-signals.ts";
import { unreadView } from "../../src/rank/file-view.ts";
import type { AnyCodeSignal } from "../../src/signals/signal.ts";
import { SourceText } from "../../src/source/source-text.ts";

const seenIn = (file: string) => ({
  subject: {
    kind: "place" as const,
    ...{ file, line: 1, function: null, source: new SourceText("source_file", file, "\n") },
  },
  ...{ steps: 1, isEnd: false, towards: null },
});
const forgotten: AnyCodeSignal = {
  ...seenIn("a.js"),
  kind: "missing-await",
  args: { callee: "save", how: "forgotten" },
};
const kept: AnyCodeSignal = {
  ...seenIn("b.js"),
  kind: "kept-resource",
  args: { acquire: "connect", how: "unless-left", leavesAtLine: 3, uses: 4 },
};
const unreleased: AnyCodeSignal = {
  ...seenIn("c.js"),
  kind: "unreleased-resource",
  args: { acquire: "connect", leavesAtLine: 3 },
};
const ranked = [
  { view: unreadView("a.js"), probability: 0.2 },
  { view: unreadView("b.js"), probability: 0.8 },
];

describe("a signal that explains a failure on its own", () => {
  it("is a forgotten await, if the rejection was unhandled", () => {
    expect(decisiveSignals([forgotten], true).get("a.js")?.weight).toBe(0.7);
    expect(decisiveSignals([forgotten], false).size).toBe(0);
  });

  it("is an exhausted resource that one function keeps where others release it, not every unreleased one", () => {
    expect([...decisiveSignals([kept, unreleased], true).keys()]).toEqual(["b.js"]);
  });

  it("is weighed by kind for the ablation", () => {
    expect(decisiveWeightsByKind([forgotten, kept], true)).toEqual(
      new Map([
        ["a.js", { "missing-await": 0.7 }],
        ["b.js", { "kept-resource": 0.8 }],
      ]),
    );
  });

  it("moves its weight to its file, and all files keep a sum of 1", () => {
    const moved = withDecisivePlaces(ranked, decisiveSignals([forgotten], true));
    expect(moved.map(({ view, probability }) => [view.name, probability])).toEqual([
      ["a.js", expect.closeTo(0.76)],
      ["b.js", expect.closeTo(0.24)],
    ]);
  });

  it("adds a file that wasn't given", () => {
    const subject = { kind: "place", file: "c.yaml", line: null, function: null, source: null } as const;
    const named = withNamedFiles(ranked, new Map([["c.yaml", { subject, weight: 0.5 }]]));
    expect(named.map(({ view }) => view.name)).toEqual(["a.js", "b.js", "c.yaml"]);
  });
});
