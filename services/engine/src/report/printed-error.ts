import type { Thrown } from "../words/thrown.ts";

/** The time and level that a logger puts before a message. */
const logged =
  /^\[?(?:\d{4}-\d{2}-\d{2}[T ])?\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?\]?\s+\[?(?:fatal|critical|severe|error|warn(?:ing)?|info|debug)\]?:?\s+/i;
/** How an error reached the handler that printed it, which some programs print where its type is expected. */
const reached: ReadonlySet<string> = new Set(["uncaughtException", "unhandledRejection"]);
const typed = /^([A-Z]\w*(?:Error|Exception)): (.+)$/s;

/** Returns an error without what the program that printed it put before it. */
export function withoutPrefix({ type, message }: Thrown): Thrown {
  const said = message.replace(logged, "");
  const [, own, rest] = reached.has(type) ? (typed.exec(said) ?? []) : [];
  return own === undefined || rest === undefined ? { type, message: said } : { type: own, message: rest };
}
