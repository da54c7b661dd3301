import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { occurrenceCounts } from "../../../../src/features/incidents/event/occurrence-counts.ts";
import { openEvent } from "../../../../src/features/incidents/event/open-event.ts";
import { requestHeaders } from "../../../../src/features/incidents/event/request-fields.ts";
import { StackTrace } from "../../../../src/features/incidents/event/stack-trace.tsx";
import { frameGroups, traceOfEvent, traceOfText, traceText } from "../../../../src/features/incidents/event/trace.ts";
import { shownText } from "../../../shown-text.ts";

const own = { file: "/app/src/cart.js", line: 12, function: "total" };
const library = { file: "/app/node_modules/express/lib/router.js", line: 95, in_app: false };
const exception = { type: "TypeError", message: "boom", stack: "TypeError: boom\n    at total (cart.js:12)" };

describe("the trace of an event", () => {
  it("has each error with its frames, and how it relates to the one before it", () => {
    const errors = traceOfEvent({
      exceptions: [
        { ...exception, frames: [own] },
        { ...exception, type: "AggregateError", message: "", parent: 0 },
        { ...exception, parent: 1 },
        { ...exception, parent: 2 },
        { ...exception, parent: 1 },
      ],
    });
    expect(errors.map(({ title, relation }) => [relation, title])).toEqual([
      [null, "TypeError: boom"],
      ["Caused by", "AggregateError"],
      ["One of several", "TypeError: boom"],
      ["Caused by", "TypeError: boom"],
      ["One of several", "TypeError: boom"],
    ]);
    expect(errors[0]?.frames).toEqual([
      { function: "total", file: "/app/src/cart.js", line: 12, isOwn: true, source: null, variables: {} },
    ]);
  });

  it("has the source near a frame's line, and the variables of its call", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const sourceOf = (line: number) => {
      const frame = { ...own, line, context: { start_line: 1, lines }, vars: { order: null } };
      return traceOfEvent({ exceptions: [{ ...exception, frames: [frame] }] })[0]?.frames[0];
    };
    expect(sourceOf(12)?.source?.lines).toEqual(lines.slice(7, 16));
    expect(sourceOf(12)).toMatchObject({ source: { firstLine: 8 }, variables: { order: null } });
    expect(sourceOf(2)?.source).toEqual({ firstLine: 1, lines: lines.slice(0, 6) });
    expect(sourceOf(30)?.source).toEqual({ firstLine: 26, lines: lines.slice(25) });
    expect(sourceOf(90)?.source).toBeNull();
  });

  it("folds consecutive frames of libraries, and no own one", () => {
    const [error] = traceOfEvent({ exceptions: [{ ...exception, frames: [own, library, library, own, library] }] });
    const groups = frameGroups(error?.frames ?? []);
    expect(groups.map(({ isOwn, frames }) => [isOwn, frames.length])).toEqual([
      ...[
        [true, 1],
        [false, 2],
        [true, 1],
        [false, 1],
      ],
    ]);
  });

  it("is as its runtime printed it, as text", () => {
    const errors = traceOfEvent({ exceptions: [exception, { ...exception, stack: "", frames: [own], parent: 0 }] });
    expect(traceText(errors)).toBe(
      `${exception.stack}\nCaused by: TypeError: boom\n    at total (/app/src/cart.js:12)`,
    );
  });

  it("shows own frames with the end of their path, and counts those of libraries", () => {
    const errors = traceOfEvent({ exceptions: [{ ...exception, frames: [own, library] }] });
    const shown = shownText(createElement(StackTrace, { errors, service: "shop" }));
    expect(shown).toContain("TypeError: boom total src/cart.js:12 1 library frame");
    expect(shown).not.toContain("router.js");
  });

  it("shows the first frames, and counts the others", () => {
    const errors = traceOfEvent({ exceptions: [{ ...exception, frames: Array.from({ length: 8 }, () => own) }] });
    const shown = shownText(createElement(StackTrace, { errors, service: "shop" }));
    expect(shown.split("cart.js").length - 1).toBe(6);
    expect(shown).toMatch(/Show 2 more frames$/);
  });
});

describe("the trace of a text", () => {
  it("has the errors that the text was read as", () => {
    const frame = { ...own, origin: "dependency" as const, attached: null, generated: null };
    const read = { ...exception, language: "javascript", repeats: 1, frames_total: 1, frames: [frame] };
    expect(traceOfText({ exceptions: [{ ...read, relation: "context" }] })).toEqual([
      {
        ...{ title: "TypeError: boom", relation: "Raised while handling", text: "" },
        frames: [{ ...own, isOwn: false, source: null, variables: {} }],
      },
    ]);
  });
});

describe("the headers of a request", () => {
  it("are sorted, and marked where their value was replaced", () => {
    const headers = { host: "shop", authorization: "[redacted]", "x/y": "z", accept: ["a", "b"] };
    const redactions = [{ rule: "added-name", path: "/request/headers/x~1y" }];
    const shown = requestHeaders({ headers }, redactions);
    expect(shown.map(({ name, value, isRedacted }) => [name, value, isRedacted])).toEqual([
      ["accept", "a, b", false],
      ["authorization", "[redacted]", true],
      ["host", "shop", false],
      ["x/y", "z", true],
    ]);
  });
});

describe("the events of a failure", () => {
  it("are counted by place as telemetry says, and by user agent as listed", () => {
    const routes = [{ name: "/cart", events: 4 }];
    const listed = ["a", "b", null, "b"].map((user_agent) => ({ user_agent }));
    expect(occurrenceCounts({ routes, hosts: [], releases: [] }, listed)).toEqual([
      { name: "Route", rows: routes },
      {
        name: "User agent",
        rows: [
          { name: "b", events: 2 },
          { name: "a", events: 1 },
        ],
      },
    ]);
    expect(occurrenceCounts(undefined, [])).toEqual([]);
  });

  it("are shown one at a time: the chosen one, the one that opened the incident, or the newest", () => {
    const known = { chosen: null, triggerId: "opened it", isTriggerGone: false, newest: "newest" };
    expect(openEvent({ ...known, chosen: "chosen" })).toBe("chosen");
    expect(openEvent(known)).toBe("opened it");
    expect(openEvent({ ...known, triggerId: null })).toBe("newest");
    expect(openEvent({ ...known, triggerId: null, newest: null })).toBeNull();
  });

  it("begin with the newest when the one that opened the incident was erased", () => {
    const gone = { chosen: null, triggerId: "opened it", isTriggerGone: true };
    expect(openEvent({ ...gone, newest: "newest" })).toBe("newest");
    expect(openEvent({ ...gone, newest: null })).toBe("opened it");
  });
});
