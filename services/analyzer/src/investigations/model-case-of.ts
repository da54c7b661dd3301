import { type InvestigationSubject, observeFinding } from "@whence/engine";
import type { Report } from "@whence/protocol";
import type { ModelCase } from "../model-run/model-case.ts";
import { TelemetryQueries } from "../model-run/telemetry-queries.ts";
import { openTree } from "../sources/service-sources.ts";
import { type GatheredCase, type IncidentCase, withSaid } from "./incident-case.ts";
import type { InvestigationContext } from "./investigation-context.ts";

/** A report, and what it is about. */
interface Reported {
  readonly report: Report;
  readonly subject: InvestigationSubject;
  /** What the collectors find now. */
  readonly gathered: () => Promise<GatheredCase>;
  /** Aborted when the model stops reading code. */
  readonly readUntil: AbortSignal;
}

/** Returns all that a model can reach of an incident: what its investigation reads, and nothing else. */
export async function modelCaseOf(
  context: InvestigationContext,
  { scopeId, incident }: IncidentCase,
  { report, subject, gathered, readUntil }: Reported,
): Promise<ModelCase> {
  const { input } = subject;
  const isDeveloper = input.kind === "text" && !input.about;
  const { impact, evidence } = report;
  const around = {
    env: subject.incident.env ?? "",
    at: impact.last_seen ?? impact.first_seen ?? evidence[0]?.observed_at ?? null,
  };
  return {
    incidentId: incident.id,
    route: isDeveloper ? "developer" : "service",
    subject,
    report,
    tree: await openTree(subject, scopeId, context, readUntil),
    telemetry: new TelemetryQueries(isDeveloper ? null : context.events.forScope(scopeId), around),
    preferences: (await context.control.scope(scopeId).instructions.read()).text,
    collected: async () => (await gathered()).collecting,
    async test(hypothesis, opened) {
      const { whole, collecting, investigate } = await gathered();
      const observations = [observeFinding(hypothesis, incident.created_at)];
      const known = withSaid(await collecting, { observations, notChecked: [], files: [] });
      return investigate(
        { ...whole, readByModel: opened },
        async () => known,
        async () => undefined,
      );
    },
  };
}
