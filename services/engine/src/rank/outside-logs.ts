import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { ownServiceOf } from "../outside/failure-context.ts";
import { hostName, namesService } from "../outside/names.ts";
import { relatedFindings } from "../outside/related-findings.ts";
import type { Candidate } from "./candidate.ts";

const logsMax = 2;

/** Adds error lines of third parties to the candidates that they name. They don't change the order. */
export function withLogs(candidates: readonly Candidate[], findings: Findings): readonly Candidate[] {
  const { logs } = relatedFindings(findings);
  if (logs.length === 0) return candidates;
  return candidates.map((candidate) => {
    const naming = logs.filter((log) => isAbout(log, candidate, findings) && !candidate.observations.includes(log));
    return naming.length === 0
      ? candidate
      : { ...candidate, observations: [...candidate.observations, ...naming.slice(0, logsMax)] };
  });
}

/**
 * Returns whether a line is about a candidate: the host that couldn't be reached, or the failing service, by the
 * error's own words.
 */
function isAbout({ fact }: Observation, { subject, service }: Candidate, findings: Findings): boolean {
  if (fact.kind !== "outside" || fact.outside.kind !== "log") return false;
  const { message, source } = fact.outside;
  if (subject.kind === "dependency") return message.toLowerCase().includes(hostName(subject.name));
  if (service === null) return false;
  if (source !== null && namesService(source, service, findings.incident.env)) return true;
  return service === ownServiceOf(findings);
}
