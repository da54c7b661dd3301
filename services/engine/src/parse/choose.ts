import type { ParsedException } from "../findings.ts";
import { severityOf } from "./records/level.ts";

/** The chain to look into, the outermost error first, and why it. */
export interface Choice {
  readonly chain: readonly number[];
  /** Null when there was no choice. */
  readonly because: string | null;
}

/** How much an error says of what went wrong; the first reason that holds. */
interface Reason {
  readonly holds: (exception: ParsedException) => boolean;
  /** Of several: what ends a process comes last, what sets off the rest comes first. */
  readonly takes: "first" | "last";
  readonly says: string;
}

const reasons: readonly Reason[] = [
  {
    holds: (one) => one.fatal && !isWarning(one) && one.frames.length > 0,
    takes: "last",
    says: "it ended the process",
  },
  { holds: (one) => one.fatal && !isWarning(one), takes: "last", says: "it ended the process" },
  { holds: (one) => one.level === "fatal", takes: "last", says: "it was logged as fatal" },
  {
    holds: (one) => !isWarning(one) && one.frames.some(({ origin }) => origin === "app"),
    takes: "first",
    says: "it is the first with a stack through the service's own code",
  },
  { holds: (one) => !isWarning(one) && one.frames.length > 0, takes: "first", says: "it is the first with a stack" },
  { holds: (one) => !isWarning(one), takes: "first", says: "it is the first that is no warning" },
  { holds: () => true, takes: "first", says: "it is the first" },
];

/** Chooses the error to investigate, with all that belongs to it but what was set aside on the way. */
export function choose(exceptions: readonly ParsedException[]): Choice {
  const heads = exceptions.flatMap((exception, index) => (exception.parent === null ? [{ exception, index }] : []));
  const telling = heads.filter(({ exception }) => !isRepetition(exception));
  const pool = telling.length > 0 ? telling : heads;
  for (const { holds, takes, says } of reasons) {
    const found = pool.filter(({ exception, index }) => holds(withFramesOf(exceptions, exception, index)));
    const chosen = takes === "first" ? found[0] : found.at(-1);
    if (!chosen) continue;
    const why =
      says === "it is the first" && chosen !== heads[0] ? "it says why, and not only that it is tried again" : says;
    return { chain: chainOf(exceptions, chosen.index), because: because(why, heads.length, found.length) };
  }
  return { chain: [], because: null };
}

/** Kubernetes tries again, for a reason that stands elsewhere. */
function isRepetition({ type }: ParsedException): boolean {
  return type === "BackOff" || type.endsWith("LoopBackOff");
}

/** The stack of a wrapper may be that of what it wraps. */
function withFramesOf(exceptions: readonly ParsedException[], head: ParsedException, index: number): ParsedException {
  const next = exceptions[index + 1];
  return head.frames.length === 0 && next?.parent === index ? { ...head, frames: next.frames } : head;
}

function chainOf(exceptions: readonly ParsedException[], head: number): number[] {
  const chain = new Set([head]);
  // A parent always stands before its causes, so one pass finds them all.
  for (let index = head + 1; index < exceptions.length; index++) {
    const { parent = null, relation = null } = exceptions[index] ?? {};
    if (parent === null) break;
    if (relation !== "suppressed" && chain.has(parent)) chain.add(index);
  }
  return [...chain];
}

function because(says: string, heads: number, found: number): string | null {
  if (heads < 2) return null;
  const others = heads === 2 ? "one other error was found" : `${heads - 1} other errors were found`;
  return `${says}${found > 1 && says.startsWith("it ended") ? ", as the last of several" : ""}; ${others}`;
}

function isWarning({ type, level }: ParsedException): boolean {
  return type.endsWith("Warning") || (level !== null && severityOf(level) <= severityOf("warn"));
}
