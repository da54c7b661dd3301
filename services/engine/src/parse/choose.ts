import type { ParsedException } from "../findings.ts";
import type { ChosenBecause } from "../gaps.ts";
import { severityOf } from "./records/level.ts";

/** The chain to look into, the outermost error first, and why it. */
export interface Choice {
  readonly chain: readonly number[];
  /** Null when there was no choice. */
  readonly because: ChosenBecause | null;
}

/** How much an error says of what went wrong; the first reason that holds. */
interface Reason {
  readonly holds: (exception: ParsedException) => boolean;
  /** Of several: what ends a process comes last, what sets off the rest comes first. */
  readonly takes: "first" | "last";
  readonly name: ChosenBecause["reason"];
}

const reasons: readonly Reason[] = [
  {
    holds: (one) => one.fatal && !isWarning(one) && one.frames.length > 0,
    takes: "last",
    name: "ended-process",
  },
  { holds: (one) => one.fatal && !isWarning(one), takes: "last", name: "ended-process" },
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

/** Chooses the error to investigate, with all that belongs to it but what was set aside on the way. */
export function choose(exceptions: readonly ParsedException[]): Choice {
  const heads = exceptions.flatMap((exception, index) => (exception.parent === null ? [{ exception, index }] : []));
  const telling = heads.filter(({ exception }) => !isRepetition(exception));
  const pool = telling.length > 0 ? telling : heads;
  for (const { holds, takes, name } of reasons) {
    const found = pool.filter(({ exception, index }) => holds(withFramesOf(exceptions, exception, index)));
    const chosen = takes === "first" ? found[0] : found.at(-1);
    if (!chosen) continue;
    const reason = name === "first" && chosen !== heads[0] ? "first-that-explains" : name;
    return { chain: chainOf(exceptions, chosen.index), because: because(reason, heads.length, found.length) };
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

function because(reason: ChosenBecause["reason"], heads: number, found: number): ChosenBecause | null {
  if (heads < 2) return null;
  return { reason, others: heads - 1, isLast: found > 1 && reason === "ended-process" };
}

function isWarning({ type, level }: ParsedException): boolean {
  return type.endsWith("Warning") || (level !== null && severityOf(level) <= severityOf("warn"));
}
