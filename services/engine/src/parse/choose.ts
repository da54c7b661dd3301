import type { ChosenBecause } from "../findings/chosen-because.ts";
import type { ParsedException } from "../findings/parsed-error.ts";
import { isUnnamed } from "../words/thrown.ts";
import { isClientFault } from "./client-faults.ts";
import { severityOf } from "./records/level.ts";

/** The chain to investigate, the outermost error first, and why it was chosen. */
export interface Choice {
  readonly chain: readonly number[];
  /** Null when there is only one chain. */
  readonly because: ChosenBecause | null;
}

/** An error with its index, and with the stack of the error it wraps when it has none. */
interface Head {
  readonly exception: ParsedException;
  readonly index: number;
}

/** A reason to choose an error; the first one that applies counts. */
interface Reason {
  readonly holds: (exception: ParsedException) => boolean;
  /** The exception to take from several: the last that ends a process, or the first, which triggers the others. */
  readonly takes: "first" | "last";
  readonly name: ChosenBecause["reason"];
}

const endings: readonly Reason[] = [
  { holds: (one) => one.fatal && !isWarning(one) && one.frames.length > 0, takes: "last", name: "ended-process" },
  { holds: (one) => one.fatal && !isWarning(one), takes: "last", name: "ended-process" },
];
const reasons: readonly Reason[] = [
  { holds: (one) => one.level === "fatal", takes: "last", name: "logged-fatal" },
  {
    holds: (one) => !isWarning(one) && one.frames.some(({ origin }) => origin === "app"),
    takes: "first",
    name: "first-own-stack",
  },
  { holds: (one) => !isWarning(one) && one.frames.length > 0, takes: "first", name: "first-stack" },
  { holds: (one) => !isWarning(one), takes: "first", name: "first-error" },
  { holds: () => true, takes: "first", name: "first" },
];

/**
 * Chooses the error to investigate, with its whole chain. One whose stack shows nothing of the given code, where
 * another's does, is another program's failure, or a test's that only reports it.
 */
export function choose(
  exceptions: readonly ParsedException[],
  isGiven: (path: string) => boolean = () => false,
): Choice {
  const heads = exceptions.flatMap((exception, index) =>
    exception.parent === null ? [{ exception: withFramesOf(exceptions, exception, index), index }] : [],
  );
  const printed = orAll(heads, ({ exception }) => !exception.logContext.inValue);
  const explained = orAll(printed, (head) => !isSignalBelowStack(head, printed));
  const failed = orAll(explained, ({ exception }) => !isRepetition(exception));
  // A stack without a name may only say where something was created.
  const named = orAll(failed, ({ exception }) => !isUnnamed(exception));
  const unanswered = withoutClientFaults(named);
  const telling = unanswered.some(explains)
    ? orAll(unanswered, ({ exception }) => !exception.logContext.inSummary)
    : unanswered;
  const ended = chosenBy(endings, telling);
  const unlogged = ended ? null : byTheSameHand(telling);
  const likely = ended ?? chosenBy(reasons, unlogged ?? telling);
  if (!likely) return { chain: [], because: null };
  const shown = isShown(exceptions, likely.head, isGiven)
    ? undefined
    : telling.find((one) => isRival(one, likely.head) && isShown(exceptions, one, isGiven));
  const found: Found = shown ? { head: shown, name: "given-code", of: 1 } : likely;
  const name = unlogged && !shown ? "ends-text" : found.name;
  const isPassedOver = named.some((one) => !unanswered.includes(one) && one.index < found.head.index);
  const reason = name.startsWith("first") ? whyFirst(name, isPassedOver, found.head === heads[0]) : name;
  const others = heads.filter(({ index }) => index !== found.head.index);
  return {
    chain: chainOf(exceptions, found.head.index),
    because:
      others.length === 0
        ? null
        : {
            reason,
            others: others.length,
            isLast: found.of > 1 && reason === "ended-process",
            rivals: others
              .filter((one) => isRival(one, found.head) && !isSummaryOf(one, exceptions, found.head.index))
              .map(({ index }) => index),
            inValues: others.filter(({ exception }) => exception.logContext.inValue).map(({ index }) => index),
          },
  };
}

/** Says why others before the first that was chosen were left out. */
function whyFirst(name: Found["name"], isPassedOver: boolean, isOutright: boolean): Found["name"] {
  if (isPassedOver) return "first-unanswered";
  return name === "first" && !isOutright ? "first-that-explains" : name;
}

/** Returns the heads that qualify, or all of them when none does. */
function orAll(heads: readonly Head[], holds: (head: Head) => boolean): readonly Head[] {
  const found = heads.filter(holds);
  return found.length > 0 ? found : heads;
}

/** Leaves out the errors that a server only refused requests with, where another one isn't a warning. */
function withoutClientFaults(heads: readonly Head[]): readonly Head[] {
  const others = heads.filter(({ exception }) => !isClientFault(exception));
  return others.some(({ exception }) => !isWarning(exception)) ? others : heads;
}

interface Found {
  readonly head: Head;
  readonly name: ChosenBecause["reason"];
  /** For how many heads the reason holds. */
  readonly of: number;
}

function chosenBy(reasons: readonly Reason[], heads: readonly Head[]): Found | null {
  for (const { holds, takes, name } of reasons) {
    const found = heads.filter(({ exception }) => holds(exception));
    const head = takes === "first" ? found[0] : latest(found);
    if (head) return { head, name, of: found.length };
  }
  return null;
}

/** Returns the last in time if every error has a time, and otherwise the last in the text. */
function latest(heads: readonly Head[]): Head | undefined {
  const isTimed = heads.every(({ exception }) => exception.logContext.at !== null);
  const placeOf = ({ exception: { logContext, printed } }: Head): number =>
    isTimed ? Date.parse(logContext.at ?? "") : printed.start;
  return heads.reduce<Head | undefined>(
    (known, head) => (known === undefined || placeOf(head) >= placeOf(known) ? head : known),
    undefined,
  );
}

/**
 * Returns the errors printed by the same source as an uncaught stack, one that ends the text and that no logger wrote.
 * Null without such a stack, or when only one source printed errors.
 */
function byTheSameHand(heads: readonly Head[]): readonly Head[] | null {
  const stacks = heads.filter(({ exception }) => exception.frames.length > 0 && !isWarning(exception));
  const last = stacks.find(({ exception: { logContext } }) => logContext.endsText && !logContext.logged);
  if (!last) return null;
  const same = stacks.filter(
    ({ exception }) => !exception.logContext.logged && exception.language === last.exception.language,
  );
  return same.length < stacks.length ? same : null;
}

/** Returns whether the stack of an error, or of one that caused it, shows a call in given code. */
function isShown(exceptions: readonly ParsedException[], { index }: Head, isGiven: (path: string) => boolean): boolean {
  return chainOf(exceptions, index).some(
    (one) => exceptions[one]?.frames.some(({ file }) => file !== null && isGiven(file)) === true,
  );
}

/**
 * Returns whether another error is as strong a candidate: it isn't a warning, and it has a stack if the chosen one
 * does.
 */
function isRival({ exception }: Head, { exception: chosen }: Head): boolean {
  if (exception.logContext.inValue || isWarning(exception) || isRepetition(exception)) return false;
  // A stack whose name was cut off may be a part of the chosen one.
  if (isCutOff(exception) && !isUnnamed(chosen)) return false;
  return chosen.frames.length === 0 || exception.frames.length > 0;
}

/** Returns whether an error has no name since its stack was printed without what stands above the calls. */
function isCutOff(exception: ParsedException): boolean {
  const calls = exception.frames.flatMap(({ printed }) => printed?.start ?? []);
  return isUnnamed(exception) && calls.length > 0 && exception.printed.start >= Math.min(...calls);
}

/** Kubernetes retries; the reason is elsewhere. */
function isRepetition({ type }: ParsedException): boolean {
  return type === "BackOff" || type.endsWith("LoopBackOff");
}

/** The signals of a crash; `Killed` isn't one, because the kernel also kills what didn't fail. */
const crashSignal = /^(?:Segmentation fault|Bus error|Illegal instruction|Floating point exception|Aborted)$/;

/** A shell that says which signal ended a process says less than the stack that the process printed right above. */
function isSignalBelowStack({ exception: { frames, message, printed } }: Head, heads: readonly Head[]): boolean {
  if (frames.length > 0 || !crashSignal.test(message)) return false;
  const above = heads.filter(({ exception }) => exception.printed.end <= printed.start).at(-1)?.exception;
  return above !== undefined && above.frames.length > 0 && !above.logContext.logged && !isWarning(above);
}

/** Returns whether a stack says where something failed that nothing handled. */
function explains({ exception }: Head): boolean {
  return !isWarning(exception) && !exception.logContext.logged && exception.frames.some(({ line }) => line !== null);
}

/** Returns whether a summary names the chosen error, or one that caused it, again. */
function isSummaryOf(head: Head, exceptions: readonly ParsedException[], chosen: number): boolean {
  const { type, message, logContext } = head.exception;
  return (
    logContext.inSummary &&
    chainOf(exceptions, chosen).some((index) => {
      const one = exceptions[index];
      return one?.type === type && one.message === message;
    })
  );
}

/** A wrapper without a stack takes the stack of what it wraps. */
function withFramesOf(exceptions: readonly ParsedException[], head: ParsedException, index: number): ParsedException {
  const next = exceptions[index + 1];
  return head.frames.length === 0 && next?.parent === index ? { ...head, frames: next.frames } : head;
}

function chainOf(exceptions: readonly ParsedException[], head: number): number[] {
  const chain = new Set([head]);
  // A parent always precedes its causes, so one pass finds them all.
  for (let index = head + 1; index < exceptions.length; index++) {
    const { parent = null, relation = null } = exceptions[index] ?? {};
    if (parent === null) break;
    if (relation !== "suppressed" && chain.has(parent)) chain.add(index);
  }
  return [...chain];
}

function isWarning({ type, level }: ParsedException): boolean {
  return type.endsWith("Warning") || (level !== null && severityOf(level) <= severityOf("warn"));
}
