import type { IncidentStep } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { mergeHead, withHead } from "../../../src/features/incidents/list/merge-head.ts";
import { withStep } from "../../../src/features/incidents/report/followed-steps.ts";
import { noon, sampleSummary } from "../../samples.ts";

const step = (seq: number, detail = ""): IncidentStep => ({ seq, at: noon, step: "parse", detail });
const followed = (...steps: readonly IncidentStep[]) =>
  steps
    .reduce<readonly IncidentStep[]>((before, one) => withStep(before, one), [])
    .map(({ seq, detail }) => `${seq}${detail}`);

describe("the steps of an investigation", () => {
  it("are those that arrived, in order", () => {
    expect(followed(step(1), step(2), step(3))).toEqual(["1", "2", "3"]);
  });

  it("start again when an attempt starts over", () => {
    expect(followed(step(1), step(2), step(3), step(1, "b"), step(2, "b"))).toEqual(["1b", "2b"]);
  });

  it("contain each step once when the connection was resumed", () => {
    expect(followed(step(1), step(2), step(2))).toEqual(["1", "2"]);
  });

  it("keep those before one that arrives late", () => {
    expect(followed(step(1), step(3))).toEqual(["1", "3"]);
  });
});

describe("a list that is kept up to date", () => {
  const listed = (pages: readonly string[], head: readonly string[]) =>
    mergeHead(
      pages.length === 0 ? [] : [{ incidents: pages.map((id) => sampleSummary({ id, title: "old" })), readAt: 1 }],
      withHead({}, { incidents: head.map((id) => sampleSummary({ id, title: "new" })), readAt: 2 }),
    ).map(({ id, title }) => `${id} ${title}`);

  it("is its pages while nothing newer is known", () => {
    expect(listed(["inc_2", "inc_1"], [])).toEqual(["inc_2 old", "inc_1 old"]);
  });

  it("is the newest response before any page was read", () => {
    expect(listed([], ["inc_2", "inc_1"])).toEqual(["inc_2 new", "inc_1 new"]);
  });

  it("takes changes from the newest response, and keeps what lies beyond it", () => {
    expect(listed(["inc_3", "inc_2", "inc_1"], ["inc_4", "inc_3"])).toEqual([
      "inc_4 new",
      "inc_3 new",
      "inc_2 old",
      "inc_1 old",
    ]);
  });

  it("keeps an incident that the newest response no longer contains", () => {
    expect(listed(["inc_3", "inc_1"], ["inc_4"])).toEqual(["inc_4 new", "inc_3 old", "inc_1 old"]);
  });

  it("modifies neither of its input lists", () => {
    const pages = Object.freeze([{ incidents: Object.freeze([sampleSummary({ id: "inc_1" })]), readAt: 1 }]);
    const seen = Object.freeze(withHead({}, { incidents: [sampleSummary({ id: "inc_2" })], readAt: 2 }));
    expect(mergeHead(pages, seen)).toHaveLength(2);
    expect(Object.keys(withHead(seen, { incidents: [sampleSummary({ id: "inc_3" })], readAt: 3 }))).toHaveLength(2);
    expect([pages.length, Object.keys(seen)]).toEqual([1, ["inc_2"]]);
  });
});
