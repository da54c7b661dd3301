import type { Hit, Observed, TestRun, WatchedRun } from "@whence/protocol";
import type { ParsedInput } from "../findings/findings.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import type { SeenDuring } from "../signals/facts/observed.ts";

/** A recurrence of the failure while it was watched. */
export interface WatchedFailure {
  readonly during: SeenDuring;
  /** How often each watched place was reached before it, and whether each time is known. */
  readonly places: readonly (WatchedRun["places"][number] & {
    /** Whether each call is known, though not what was returned; absent where {@link is_complete} says it. */
    readonly isWatched?: boolean;
  })[];
  /** Where it was thrown, the innermost call first. */
  readonly thrown: readonly [Hit, ...Hit[]];
  /** The stops before it in the same thread, in the order of their time. */
  readonly before: readonly Hit[];
  /** The stops of the run in other threads, or after it. */
  readonly beside: readonly Hit[];
  /** What the test that failed ran; null where that isn't known. */
  readonly ran: TestRun | null;
}

/** Returns the source that evidence names for a watched failure. */
export function sourceOf(during: SeenDuring): { readonly kind: "observed"; readonly name: string } {
  return { kind: "observed", name: "run" in during ? `run ${during.run}` : "running program" };
}

type Throw = WatchedFailure["thrown"];
type CalledAt = Pick<Hit, "file" | "line" | "function" | "starts">;

/** A printed message may be cut, or have more around it. */
const comparedUnits = 100;

/** The address of an object, which differs from run to run: `<Order object at 0x7f3a9c0d1e50>`. */
const address = /\s+at (?:0x)?[\da-f]{8,16}\b/i;

/** A message of at most this length is part of too many others, as `3` is, so it counts only with its type. */
const shortUnitsMax = 4;

/** How a throw of the failing error or of one of its causes is recognized. */
interface FailureMessage {
  readonly text: string;
  /** The text after the type of the error: a throw that says only the text may be another error that quotes it. */
  readonly typed: string;
  /** Whether the text is all that the throw says; otherwise it may say more. */
  readonly isWhole: boolean;
}

/** Returns the start of each message of the failing error and its causes, a short one after its type. */
export function failureMessagesOf(error: ParsedError): string[] {
  return messagesOf(error).map(({ text }) => text);
}

function messagesOf({ chain, exceptions }: ParsedError): FailureMessage[] {
  return chain.flatMap((index) => {
    const { type = "", message = "" } = exceptions[index] ?? {};
    const [first = ""] = message.split("\n", 1);
    const [steady = ""] = first.split(address, 1);
    const text = steady.trim().slice(0, comparedUnits);
    const name = type.split(".").at(-1) ?? "";
    const typed = [name, text].filter((one) => one !== "").join(": ");
    if (text.length > shortUnitsMax) return { text, typed, isWhole: false };
    return name === "" ? [] : { text: typed, typed, isWhole: true };
  });
}

/** Returns the failure in the last run in which it occurred; null when it occurred in none. */
export function watchedFailureOf({ runs }: Observed, { error }: Pick<ParsedInput, "error">): WatchedFailure | null {
  const messages = messagesOf(error);
  for (const run of runs.toReversed()) {
    const failures = new Set(messages.flatMap((message) => failuresIn(run.hits, message)));
    const thrown = originalIn(throwsIn(run.hits.filter((hit) => failures.has(hit))));
    if (!thrown) continue;
    const [first] = thrown;
    const isBefore = ({ thread, at_ms: at }: Hit): boolean => thread === first.thread && at <= first.at_ms;
    const stops = run.hits.filter(({ kind }) => kind !== "threw");
    const [before, beside] = [stops.filter(isBefore), stops.filter((stop) => !isBefore(stop))];
    return { during: { run: run.run }, places: run.places, thrown, before, beside, ran: run.ran ?? null };
  }
  return null;
}

/** Returns the stops at throws that say a message: those with its type if there are any. */
function failuresIn(hits: readonly Hit[], { text, typed, isWhole }: FailureMessage): Hit[] {
  const alike = hits.filter(({ error: said = "" }) => (isWhole ? said === text : said.includes(text)));
  const same = alike.filter(({ error: said = "" }) => said.startsWith(typed));
  return same.length > 0 ? same : alike;
}

/** Returns the throws with their calls, the innermost first, in the order of their time. */
function throwsIn(hits: readonly Hit[]): Throw[] {
  const calls = hits.filter(({ kind }) => kind === "threw");
  return [...Map.groupBy(calls, ({ thread, at_ms: at }) => `${thread} ${at}`).values()].flatMap(([first, ...rest]) =>
    first ? [[first, ...rest] as const] : [],
  );
}

/** Returns the first throw of the error that was thrown last: it may have been caught and thrown again. */
function originalIn(throws: readonly Throw[]): Throw | undefined {
  let found = throws.at(-1);
  const [last] = found ?? [];
  const alike = throws.filter(([hit]) => hit.thread === last?.thread && hit.error === last?.error);
  for (const earlier of alike.toReversed().slice(1)) {
    if (!found || !contains(stackOf(earlier), stackOf(found))) break;
    found = earlier;
  }
  return found;
}

/** Returns the calls on the stack of a throw, as many as are known. */
function stackOf(calls: Throw): readonly CalledAt[] {
  return [...calls, ...(calls.at(-1)?.callers ?? [])];
}

/** Whether an error that left one stack may have been thrown again from the other: its calls are below, or one went on. */
function contains(stack: readonly CalledAt[], [top, ...below]: readonly CalledAt[]): boolean {
  return stack.some((call, index) => {
    if (!top || call.file !== top.file || call.starts !== top.starts || call.function !== top.function) return false;
    if (index === 0 && call.line === top.line) return false;
    return below.every((one, depth) => {
      const same = stack[index + 1 + depth];
      return !same || (same.file === one.file && same.line === one.line);
    });
  });
}
