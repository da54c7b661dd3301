import type { Category } from "@whence/protocol";
import type { Clue, Findings, RuleName } from "../findings.ts";
import { categoryOf, isUnhandledRejection } from "./category.ts";

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

function says(pattern: RegExp): (findings: Findings) => boolean {
  return ({ error }) =>
    pattern.test(error.headline) ||
    error.exceptions.some(({ type, message, properties }) =>
      pattern.test(`${type} ${String(properties.code ?? "")} ${message}`),
    ) ||
    error.sources.some(({ text }) => pattern.test(text.slice(0, textUnitsMax)));
}

/** As much of a log as is looked at for a symptom. */
const textUnitsMax = 20_000;

function of(...categories: readonly Category[]): (findings: Findings) => boolean {
  return (findings) => categories.includes(categoryOf(findings));
}

function isNothing(findings: Findings): boolean {
  return says(/of (?:undefined|null)\b|undefined or null|is not iterable/)(findings);
}

/** The error shows characters that could not be decoded. */
function isReplaced(findings: Findings): boolean {
  return says(/\ufffd/)(findings);
}

/** It was the object itself of which something was read. */
function isThisMissing({ clues }: Findings): boolean {
  return clues.some(({ kind, says: text }) => kind === "nullish-operand" && /^`this(?:\.[\w$]+)?` was/.test(text));
}

function isNameOnStack({ frames }: Findings, { subject }: Clue): boolean {
  return frames.some(({ place, frame }) => place?.function === subject || frame.function?.endsWith(subject) === true);
}

/** A value was missing, in the words of any language. */
function isMissing(findings: Findings): boolean {
  return (
    isNothing(findings) ||
    says(/NoneType|NullPointer|nil pointer|for nil\b|null string|nil:NilClass|nil can't be coerced|nil map/)(findings)
  );
}

/** The code at the place is what the condition of the complaint asks, or where a value of it comes by. */
function isRead(findings: Findings, clue: Clue): boolean {
  return isOnTrail(findings, clue) || isOnStack(findings, clue);
}

/** The value came by this line, or the next. */
function isNearTrail({ clues }: Findings, { place }: Clue): boolean {
  return clues.some(
    (clue) => clue.how !== null && clue.place.file === place.file && Math.abs(clue.place.line - place.line) <= 1,
  );
}

function isFatal({ error }: Findings): boolean {
  return error.chain.some((index) => error.exceptions[index]?.fatal);
}

/** Thrown by somebody's code, not by the runtime. */
function isOrdinaryError(findings: Findings): boolean {
  const head = findings.error.exceptions[findings.error.chain[0] ?? -1];
  return (
    head !== undefined &&
    (head.type === "Error" || isUnhandledRejection(findings)) &&
    head.properties.code === undefined
  );
}

/** The code itself says that something does not add up, and nothing else is known about it. */
function isOwnComplaint(findings: Findings): boolean {
  return (
    of("unknown", "data-validation")(findings) &&
    findings.clues.some(({ kind, place }) => kind === "thrown-by-code" && !isInstalled(place.file))
  );
}

function isOnStack({ frames }: Findings, { place }: Clue): boolean {
  return frames.some(({ file }) => file === place.file);
}

function isInFrame({ frames }: Findings, { place }: Clue): boolean {
  return frames.some((frame) => frame.file === place.file && frame.place?.function === place.function);
}

/** The value that was missed, or one on its way, is what the code looks at. */
function isSpoken({ clues }: Findings, { subject, place }: Clue): boolean {
  return clues.some(
    (clue) =>
      (clue.how !== null || clue.kind === "nullish-operand") &&
      clue.place.file === place.file &&
      clue.place.function === place.function &&
      clue.says.includes(subject),
  );
}

function isOnTrail({ clues }: Findings, { place }: Clue): boolean {
  return clues.some(
    (clue) => clue.how !== null && clue.place.file === place.file && clue.place.function === place.function,
  );
}

function isPathOf({ error }: Findings, { subject }: Clue): boolean {
  const plain = subject.replace(/^\.\//, "");
  return error.exceptions.some(({ properties, message }) => {
    const path = String(properties.path ?? /'([^']+)'/.exec(message)?.[1] ?? "");
    return path !== "" && !path.startsWith("/") && path.includes(plain);
  });
}

/** The answer could not be read, or has not the shape that the code reads, and the function on the stack asked for it. */
function isAboutAnswer(findings: Findings, clue: Clue): boolean {
  const isShape = of("null-dereference", "type-mismatch", "schema-drift")(findings);
  if (isShape) return isOnTrail(findings, clue);
  return of("parse-error", "upstream-bad-response")(findings) && isInFrame(findings, clue);
}

function isInstalled(file: string): boolean {
  return `/${file}`.includes("/node_modules/");
}
