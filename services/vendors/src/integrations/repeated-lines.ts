import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "./integration.ts";
import { countedLines, type LogFinding } from "./log-lines.ts";

/** A log line from a vendor. Its time is RFC 3339. */
export interface LogLine {
  readonly level: string | null;
  readonly message: string;
  /** The service, container, or host that wrote it. */
  readonly source: string | null;
  readonly at: string;
  readonly url: string | null;
}

/** Shorter error texts also occur in unrelated lines. */
const tellingLengthMin = 8;

/**
 * Merges repeated lines into one with a count. First come those that quote the failure's own error, then the most
 * severe, then the closest in time. Empty lines, and those whose level says that nothing is wrong, are left out.
 */
export function repeatedLines(vendor: string, lines: readonly LogLine[], about: FailureQuestion): OutsideFinding[] {
  const troubled = lines.filter(({ message, level }) => message.trim() !== "" && gravity(level) < harmless);
  const counted = countedLines(
    troubled.map((line) => ({ kind: "log", vendor, count: 1, ...line })),
    about.at,
  );
  const quoted = about.errors.map(({ message }) => message.split("\n", 1)[0] ?? "");
  const telling = quoted.filter((text) => text.length >= tellingLengthMin);
  const quotes = ({ message }: LogFinding): number => (telling.some((text) => message.includes(text)) ? 0 : 1);
  return counted.toSorted((a, b) => quotes(a) - quotes(b) || gravity(a.level) - gravity(b.level));
}

const harmless = 4;

/** 0 for the most severe. A line without a level was found by its words, and counts as an error. */
function gravity(level: string | null): number {
  const name = level?.toLowerCase() ?? "";
  if (/^(?:fatal|panic|crit|emerg|alert|dpanic|severe)/.test(name)) return 0;
  if (name === "" || /^(?:err|exception|fail)/.test(name)) return 1;
  if (/^(?:info|debug|trace|verbose|notice|fine|silly|http)/.test(name)) return harmless;
  return /^warn/.test(name) ? 2 : 3;
}
