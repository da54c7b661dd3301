import type { Findings } from "./findings/findings.ts";
import type { InvestigationSubject } from "./findings/investigation-subject.ts";
import type { Observation } from "./findings/observation.ts";
import { filesOf, findingsOf, parseSubject } from "./investigation-findings.ts";
import { failureContextOf } from "./outside/failure-context.ts";
import { learnedModel } from "./rank/model.ts";
import { categoryEvidenceOf, suspectsOf } from "./rank/rank.ts";
import { rankPlaces } from "./rank/rank-places.ts";
import type { ServiceWeights } from "./rank/service-model.ts";
import type { Suspect } from "./rank/suspect.ts";
import { traceError } from "./trace/trace-error.ts";

/** The failing service and the other suspects of a failure, with their weights. */
export interface WeighedSuspects {
  readonly own: readonly Suspect[];
  readonly elsewhere: readonly Suspect[];
}

/** The input of the service ranking for one failure. */
export interface ServiceFeatures {
  /** Null when it isn't known. */
  readonly service: string | null;
  /**
   * The probability of the first place in the service's own code, given that the cause is there; 0 when no code is
   * known.
   */
  readonly place: number;
  /** Whether the error is a known failure. */
  readonly isKnownFailure: boolean;
  /** Weighs the suspects with the given weights. */
  readonly weigh: (weights: ServiceWeights) => WeighedSuspects;
}

/** Returns the input of the service ranking, as an investigation sees it; models are trained on it. */
export async function serviceFeatures(
  subject: InvestigationSubject,
  observations: readonly Observation[],
): Promise<ServiceFeatures> {
  const parsed = parseSubject(subject, Date.now);
  const files = filesOf(subject);
  const traced = await traceError(parsed.error, parsed.event, files);
  const findings: Findings = await findingsOf(subject, parsed, files, traced, { observations, notChecked: [] });
  const evidence = categoryEvidenceOf(findings, traced);
  const context = failureContextOf(findings);
  const [first] = rankPlaces(findings, traced, files, learnedModel());
  return {
    service: subject.incident.service,
    place: first?.probability ?? 0,
    isKnownFailure: findings.signatures.length > 0,
    weigh: (weights) => suspectsOf(findings, evidence, context, weights),
  };
}
