import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch } from "../stretch.ts";
import { readFailedTest } from "./failed-test.ts";

/** `FAILED tests/test_cart.py::TestGuest::test_total[EUR] - KeyError: 'price'` of pytest's short summary. */
const summarized = /^(?:FAILED|ERROR) ([^\s:]{1,500}\.py)::(\S{1,300})(?: - (.{1,2000}))?$/;
/** `/srv/shop/cart.py:2: KeyError: 'price'`, which the style `line` prints of a failure. */
const placed = /^((?:[A-Za-z]:)?[^\s:]{1,500}\.\w{1,8}):(\d{1,9}): (\S.{0,2000})$/;

/** Reads the tests of the summary whose failures aren't printed above it. */
export function readSummary(stretch: Stretch, failures: readonly Draft[]): Draft[] {
  const known = new Set(failures.map(({ properties }) => properties.test));
  const drafts: Draft[] = [];
  let places: ReadonlyMap<string, number> | null = null;
  for (let index = 0; index < stretch.length; index++) {
    const [, path = "", id, said = ""] = summarized.exec(stretch.text(index)) ?? [];
    const test = id?.replaceAll("::", ".");
    if (test === undefined || known.has(test)) continue;
    places ??= placesIn(stretch);
    const name = test.replace(/\[.*$/, "").split(".").at(-1) ?? test;
    const inTest = frameAt(stretch, index, path, null, name);
    const at = places.get(said);
    const [, file = "", line] = at === undefined ? [] : (placed.exec(stretch.text(at)) ?? []);
    const frames = at === undefined ? [inTest] : [frameAt(stretch, at, file, Number(line), null), inTest];
    const on = { first: index, last: index };
    const draft = readFailedTest(stretch, { test, said: [said], frames, ...on, language: "python" });
    draft.logContext = { ...draft.logContext, inSummary: at === undefined };
    drafts.push(draft);
    if (at !== undefined) stretch.take(at);
  }
  return drafts;
}

/** The lines that place a failure, by its message. */
function placesIn(stretch: Stretch): Map<string, number> {
  const places = new Map<string, number>();
  for (let index = 0; index < stretch.length; index++) {
    const [, , , said] = placed.exec(stretch.text(index)) ?? [];
    if (said !== undefined && !places.has(said)) places.set(said, index);
  }
  return places;
}

function frameAt(stretch: Stretch, index: number, path: string, line: number | null, name: string | null): ParsedFrame {
  const file = normalizePath(path);
  return {
    function: name,
    file,
    line,
    column: null,
    origin: frameOrigin(file, "python"),
    async: false,
    printed: stretch.span(index),
    context: null,
  };
}
