import type { Category } from "@whence/protocol";
import type { Clue, Findings, RuleName } from "../findings.ts";
import { categoryOf } from "./category.ts";
import {
  isAboutAnswer,
  isFatal,
  isInFrame,
  isMissing,
  isNameOnStack,
  isNearTrail,
  isNothing,
  isOnStack,
  isOnTrail,
  isOrdinaryError,
  isOwnComplaint,
  isPathOf,
  isRead,
  isReplaced,
  isSpoken,
  isThisMissing,
  of,
  says,
} from "./symptoms.ts";

/** What a way of writing code leads to, and how it shows. */
interface Consequence {
  readonly category: Category | ((findings: Findings) => Category);
  /** Worth of the place as the one to change when the symptom is there, between 0 and 1. */
  readonly worth: number;
  /** Whether the error looks like that. */
  readonly shows: (findings: Findings, clue: Clue) => boolean;
}

const any = (): boolean => true;

/** Suspicious code counts only when the error is what it leads to. */
const consequences: Readonly<Record<RuleName, Consequence>> = {
  "only-grows": {
    category: "resource-exhaustion",
    worth: 0.74,
    shows: says(/heap out of memory|out of memory|allocation failed|maximum size exceeded|ENOMEM|OOMKilled/i),
  },
  "listener-per-call": { category: "resource-exhaustion", worth: 0.78, shows: says(/MaxListeners|listeners added/) },
  "unheard-errors": {
    category: "unhandled-rejection",
    worth: 0.78,
    shows: says(/Unhandled 'error' event|Emitted 'error' event/),
  },
  "handler-may-throw": {
    category: "unhandled-rejection",
    worth: 0.66,
    shows: (findings) => isFatal(findings) && isOrdinaryError(findings),
  },
  "read-then-write": {
    category: "concurrency",
    worth: 0.7,
    shows: (findings) => of("concurrency")(findings) || isOwnComplaint(findings),
  },
  "check-then-act": {
    category: "concurrency",
    worth: 0.8,
    shows: (findings, clue) =>
      says(/EEXIST|ENOENT|already exists|duplicate key|unique constraint/i)(findings) && isOnStack(findings, clue),
  },
  "lock-order": { category: "concurrency", worth: 0.8, shows: says(/lock|deadlock/i) },
  "never-settled": { category: "timeout", worth: 0.76, shows: of("timeout") },
  "mixed-units": {
    category: (findings) => (of("timeout")(findings) ? "timeout" : "bad-config"),
    worth: 0.82,
    shows: says(/expired|not yet valid|timed? ?out|timeout|aborted|ETIMEDOUT/i),
  },
  "nan-passes": {
    category: "data-validation",
    worth: 0.76,
    shows: says(/invalid (?:array length|count|time|date|typed array)|\bNaN\b|out of range|ERR_OUT_OF_RANGE/i),
  },
  "narrow-mode": { category: "permission", worth: 0.8, shows: says(/EACCES|EPERM|permission denied/i) },
  "relative-path": {
    category: "filesystem",
    worth: 0.76,
    shows: (findings, clue) => says(/ENOENT/)(findings) && isPathOf(findings, clue),
  },
  "swallowed-failure": {
    category: "null-dereference",
    worth: 0.72,
    shows: (findings, clue) => isMissing(findings) && isOnTrail(findings, clue),
  },
  "text-as-flag": {
    category: "bad-config",
    worth: 0.72,
    shows: of("network-unreachable", "auth", "bad-config", "upstream-bad-response", "unknown"),
  },
  "text-of-chunks": {
    category: "encoding",
    worth: 0.76,
    shows: (findings) =>
      of("encoding")(findings) ||
      says(
        /replacement character|malformed|checksum|signature|damaged|invalid (?:byte|utf)|unexpected (?:token|end)|length mismatch/i,
      )(findings),
  },
  "unchecked-status": { category: "upstream-bad-response", worth: 0.74, shows: isAboutAnswer },
  "unencoded-part": {
    category: (findings) => (of("auth")(findings) ? "auth" : "bad-config"),
    worth: 0.8,
    shows: (findings) => of("auth")(findings) || says(/invalid url|ENOTFOUND/i)(findings),
  },
  "untrimmed-secret": {
    category: "auth",
    worth: 0.78,
    shows: (findings) =>
      of("auth")(findings) ||
      says(/signature|unauthori[sz]ed|forbidden|invalid (?:api )?(?:key|token)|\bHMAC\b/i)(findings),
  },
  "weak-check": {
    category: "data-validation",
    worth: 0.62,
    shows: of("data-validation", "boundary", "type-mismatch", "encoding"),
  },
  "late-check": { category: "null-dereference", worth: 0.8, shows: isNothing },
  "null-is-object": {
    category: "null-dereference",
    worth: 0.6,
    shows: (findings, clue) =>
      says(/\bof null\b|\bnull to object|undefined or null/)(findings) &&
      isInFrame(findings, clue) &&
      isSpoken(findings, clue),
  },
  "inherited-key": {
    category: "data-validation",
    worth: 0.66,
    shows: (findings, clue) =>
      says(/is not a function|reading '(?:prototype|handle\w*|call|apply|bind)'/)(findings) &&
      isOnStack(findings, clue),
  },
  "shared-target": { category: "type-mismatch", worth: 0.78, shows: any },
  "whole-object": { category: "type-mismatch", worth: 0.82, shows: any },
  "changed-while-iterated": {
    category: "concurrency",
    worth: 0.8,
    shows: says(/ConcurrentModification|changed (?:size )?during iteration|mutated during iteration|during iteration/),
  },
  "unguarded-map": {
    category: "concurrency",
    worth: 0.74,
    shows: says(/concurrent map|ConcurrentModification|DATA RACE/),
  },
  "closed-elsewhere": { category: "concurrency", worth: 0.76, shows: says(/closed channel/) },
  "defer-in-loop": {
    category: "resource-exhaustion",
    worth: 0.74,
    shows: says(/too many open files|EMFILE|connection pool|too many connections/i),
  },
  "unclosed-resource": {
    category: "resource-exhaustion",
    worth: 0.72,
    shows: says(/too many open files|pool|connections|leak/i),
  },
  "identity-comparison": {
    category: "data-validation",
    worth: 0.82,
    shows: (findings, clue) => isOwnComplaint(findings) && isRead(findings, clue),
  },
  "ignored-error": {
    category: (findings) => (isMissing(findings) ? "null-dereference" : categoryOf(findings)),
    worth: 0.84,
    shows: (findings, clue) => isMissing(findings) && isNearTrail(findings, clue),
  },
  "late-binding": {
    category: "data-validation",
    worth: 0.7,
    shows: (findings, clue) => isOwnComplaint(findings) && isRead(findings, clue),
  },
  "mutable-constant": { category: "data-validation", worth: 0.72, shows: isOwnComplaint },
  "one-too-far": { category: "boundary", worth: 0.82, shows: says(/out of (?:range|bounds)|IndexError|OutOfBounds/) },
  "shared-default": { category: "data-validation", worth: 0.76, shows: isOwnComplaint },
  "naive-time": { category: "type-mismatch", worth: 0.82, shows: says(/offset-naive/) },
  "spent-iterator": {
    category: "data-validation",
    worth: 0.74,
    shows: (findings, clue) =>
      says(/empty (?:sequence|iterable)|iterable argument is empty|StopIteration|division by zero|not enough values/)(
        findings,
      ) && isNearTrail(findings, clue),
  },
  "pattern-memory": {
    category: "null-dereference",
    worth: 0.8,
    shows: (findings, clue) =>
      says(/\bof null\b|not iterable/)(findings) &&
      findings.clues.some(
        ({ says: text }) => text.includes(`${clue.subject}.exec`) || text.includes(`${clue.subject}.test`),
      ),
  },
  "text-keys": {
    category: "null-dereference",
    worth: 0.72,
    shows: (findings, clue) => isMissing(findings) && isOnTrail(findings, clue),
  },
  "nested-acquire": {
    category: "resource-exhaustion",
    worth: 0.84,
    shows: (findings) => of("resource-exhaustion", "concurrency")(findings) || says(/acquire|pool|in use/i)(findings),
  },
  "ignored-back-pressure": {
    category: "resource-exhaustion",
    worth: 0.78,
    shows: says(
      /heap out of memory|out of memory|allocation failed|ENOMEM|OOMKilled|high.?water|buffer(?:ed)? (?:limit|full)/i,
    ),
  },
  "fixed-day": {
    category: "boundary",
    worth: 0.7,
    shows: (findings, clue) =>
      isOnTrail(findings, clue) && of("null-dereference", "boundary", "data-validation", "unknown")(findings),
  },
  "unanchored-pattern": {
    category: "data-validation",
    worth: 0.78,
    shows: of("null-dereference", "data-validation", "boundary", "type-mismatch", "encoding", "filesystem", "unknown"),
  },
  "header-case": {
    category: "null-dereference",
    worth: 0.82,
    shows: (findings, clue) => isMissing(findings) && isOnTrail(findings, clue),
  },
  "detached-method": {
    category: "type-mismatch",
    worth: 0.84,
    shows: (findings, clue) => isThisMissing(findings) && isNameOnStack(findings, clue),
  },
  "never-connected": {
    category: "breaking-upgrade",
    worth: 0.82,
    shows: says(/client (?:is |was )?(?:closed|not (?:yet )?connected)|not connected|must (?:be connected|connect)/i),
  },
  "kept-forever": {
    category: "auth",
    worth: 0.8,
    shows: (findings) => of("auth")(findings) || says(/\b401\b|expired/i)(findings),
  },
  "signed-anew": {
    category: "auth",
    worth: 0.82,
    shows: (findings) => of("auth")(findings) || says(/signature|\bHMAC\b|digest/i)(findings),
  },
  "foreign-charset": {
    category: "encoding",
    worth: 0.74,
    shows: (findings) => (of("encoding")(findings) || says(/[\u0080-\u{10ffff}]/u)(findings)) && !isReplaced(findings),
  },
  "assumed-charset": { category: "encoding", worth: 0.76, shows: isReplaced },
  "missing-export": {
    category: (findings) => (says(/Cannot find module/)(findings) ? "module-resolution" : "breaking-upgrade"),
    worth: 0.86,
    shows: any,
  },
};

/** What suspicious code is worth as the cause of this error, and what kind of cause it would be; null when it does not fit. */
export function consequenceOf(
  clue: Clue,
  findings: Findings,
): { readonly worth: number; readonly category: Category } | null {
  if (clue.rule === undefined) return null;
  const { category, worth, shows } = consequences[clue.rule];
  if (!shows(findings, clue)) return null;
  return { worth, category: typeof category === "function" ? category(findings) : category };
}
