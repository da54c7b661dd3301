import type { Severity } from "@whence/protocol";

const words: Readonly<Record<Severity, readonly string[]>> = {
  critical: ["critical", "crit", "fatal", "emergency", "page", "p0", "p1", "sev0", "sev1", "sev-1"],
  high: ["high", "error", "major", "p2", "sev2", "sev-2"],
  medium: ["medium", "moderate", "warning", "warn", "p3", "sev3", "sev-3"],
  low: [
    "low",
    "minor",
    "info",
    "informational",
    "notice",
    "debug",
    "none",
    "p4",
    "p5",
    "sev4",
    "sev5",
    "sev-4",
    "sev-5",
  ],
};

const severityOfWord = new Map(
  (["critical", "high", "medium", "low"] as const).flatMap((severity) =>
    words[severity].map((word) => [word, severity] as const),
  ),
);

/** Returns the severity of the first known word; null when none is known. */
export function severityFrom(...named: readonly (string | null | undefined)[]): Severity | null {
  const known = named.flatMap((word) => severityOfWord.get(word?.trim().toLowerCase() ?? "") ?? []);
  return known[0] ?? null;
}
