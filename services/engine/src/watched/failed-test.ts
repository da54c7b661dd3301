import type { TestRun } from "@whence/protocol";
import type { LocatedFrame } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { Fact } from "../signals/fact.ts";
import { lastName } from "../source/anchor.ts";
import { packageOf } from "../source/installed-package.ts";
import { isTestOnStack } from "../source/test-file.ts";
import type { CodeUnit } from "./code-at.ts";
import type { SeenFunctions } from "./seen-functions.ts";
import { sourceOf, type WatchedFailure } from "./watched-failure.ts";

/** A function that a failing test ran. */
export interface RanInTest {
  readonly at: CodeUnit;
  /** How many of the tests that didn't fail with such an error ran it, and how many there are. */
  readonly passed: number;
  readonly of: number;
}

/**
 * Returns the call of the test on a stack that leads through nothing but tests, as that of a failed assertion does; null
 * for another stack.
 */
export function testCallOf(frames: readonly LocatedFrame[]): LocatedFrame | null {
  const own = frames.filter(({ file, place }) => place !== null && isOwn(file));
  return own.every(({ file }) => isTestOnStack(file)) ? (own.at(-1) ?? null) : null;
}

/**
 * Returns the function that most likely has the mistake which fails a test outside of the code that it tests: of those
 * that it ran, one that the most tests ran which failed so too, of these one that the fewest others ran, and of these the
 * longest, without the functions within it. Null where what the test ran isn't known.
 */
export function suspectOf(seen: SeenFunctions): RanInTest | null {
  const { thrown, ran } = seen.failure;
  // A failing value that can be told apart is followed instead.
  if (!ran || seen.value !== null) return null;
  const stack = [...thrown, ...(thrown.at(-1)?.callers ?? [])].filter(({ file }) => isOwn(file));
  if (!stack.every(({ file }) => isTestOnStack(file))) return null;
  const own = ran.functions.filter(({ file }) => isOwn(file) && !isTestOnStack(file));
  const found = own.flatMap((one) => {
    const at = unitOf(one, seen);
    return at ? [{ at, failed: one.failed, passed: one.passed, of: ran.passed, lines: seen.code.ownLines(at) }] : [];
  });
  const [first] = found.toSorted(
    (one, other) => other.failed - one.failed || one.passed - other.passed || other.lines - one.lines,
  );
  return first ?? null;
}

/** Returns a function that ran; by its name alone where a test runner moved its lines. */
function unitOf(
  { file, function: name, starts }: TestRun["functions"][number],
  { code }: SeenFunctions,
): CodeUnit | null {
  const own = lastName(name);
  const at = code.ran({ file, line: starts, function: name, starts });
  if (at?.function && lastName(at.function.name) === own) return at;
  const [only, ...others] = own === null ? [] : code.named(own).filter((one) => one.file === file);
  return only && others.length === 0 ? only : null;
}

/** Returns the evidence that the failing test ran a function. */
export function observeInTest(
  { at, passed, of }: RanInTest,
  { during }: WatchedFailure,
  observedAt: string,
): Observation<Fact<"observed">> {
  const location = { file: at.file, line: at.starts, function: at.function?.name ?? null };
  const nothing = { returned: null, beforeMs: null, missing: null, unpassedBy: null, outside: null, changedBy: null };
  return {
    source: sourceOf(during),
    observed_at: observedAt,
    fact: {
      kind: "observed",
      observed: { ...nothing, place: location, during, inTest: { passed, of }, values: [] },
    },
    location,
    ...quotedData({ ...during, ...location, in_failing_test: true, in_passed_tests: passed, passed_tests: of }),
  };
}

/** Whether a file is one of the program's own; a file outside of its folder has an absolute path. */
function isOwn(file: string): boolean {
  return !file.startsWith("/") && packageOf(file) === "";
}
