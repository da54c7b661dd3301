import { type OutsideFinding, withoutCredentials } from "@whence/protocol";
import { integrationLimits } from "./integration-limits.ts";
import { withoutOwn } from "./own-credentials.ts";

/**
 * Findings as a report accepts them: at most `findingsMax`, each text shortened and without credentials, including the
 * connection's own, each time as RFC 3339. An address that is too long is left out, since a part of one leads nowhere,
 * and so is a finding with an invalid time.
 */
export function boundedFindings(
  findings: readonly OutsideFinding[],
  credentials: readonly string[],
): readonly OutsideFinding[] {
  return findings.slice(0, integrationLimits.findingsMax).flatMap((finding) => {
    const entries = Object.entries(finding).map(([name, value]) => [name, bounded(name, value, credentials)] as const);
    const hasTimes = entries.every(([, value]) => value !== invalidTime);
    return hasTimes ? [{ ...finding, ...Object.fromEntries(entries) }] : [];
  });
}

const invalidTime = Symbol("invalid time");
const times = new Set(["at", "since", "until"]);

function bounded(name: string, value: unknown, credentials: readonly string[]): unknown {
  if (typeof value !== "string") return value;
  if (name === "url")
    return value.length <= integrationLimits.findingUrlLengthMax ? withoutOwn(value, credentials) : null;
  if (!times.has(name)) return shortened(withoutCredentials(withoutOwn(value, credentials)));
  const time = Date.parse(value);
  return Number.isNaN(time) ? invalidTime : new Date(time).toISOString();
}

function shortened(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax - 1)}…`;
}

const textMax = integrationLimits.findingTextLengthMax;
