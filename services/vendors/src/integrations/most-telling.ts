import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "./integration.ts";
import { serviceNames } from "./service-names.ts";

/**
 * How many log lines come before findings that don't name the failing service: such findings may be the cause, or many
 * and alike.
 */
const leadingLogsMax = 10;

/**
 * Orders findings by their value for a report: changes and problems that name the failing service, its host, or a host
 * that it called; then log lines and people; then the rest. Within each, the order is kept.
 */
export function mostTelling<Finding extends OutsideFinding>(
  findings: readonly Finding[],
  about: Pick<FailureQuestion, "service" | "host" | "calledHosts">,
): readonly Finding[] {
  const names = [...serviceNames(about), about.host, ...about.calledHosts].filter((name) => name !== "").map(lower);
  const isNamedIn = (text: string | null): boolean => text !== null && names.some((name) => lower(text).includes(name));
  let logs = 0;
  const rankOf = (finding: OutsideFinding): number => {
    if (finding.kind === "log") return ++logs <= leadingLogsMax ? 1 : 3;
    if (finding.kind === "record") return 1;
    return isNamedIn(finding.target) || isNamedIn(finding.title) ? 0 : 2;
  };
  const ranked = findings.map((finding) => ({ finding, rank: rankOf(finding) }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ finding }) => finding);
}

const lower = (text: string): string => text.toLowerCase();
