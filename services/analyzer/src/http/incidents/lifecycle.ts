import {
  type Incident,
  incidentSchema,
  type LifecycleChange,
  lifecycleChangeSchema,
  type WhenceError,
} from "@whence/protocol";
import type { IncidentScope, KeyStore, LifecycleOutcome, LifecycleScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { type Caller, requireCaller } from "../viewer.ts";
import { readIncident, unknownIncident } from "./visible-incident.ts";

const operations = {
  change: {
    operationId: "change_incident_lifecycle",
    tags: ["incidents"],
    summary: "Resolve, mute, ignore, or reopen an incident",
    body: lifecycleChangeSchema,
    response: { 200: incidentSchema },
    errors: [
      "WHENCE_ERR_INCIDENT_UNKNOWN",
      "WHENCE_ERR_INCIDENT_RESOLVED",
      "WHENCE_ERR_INCIDENT_MERGED",
      "WHENCE_ERR_INCIDENT_WITHOUT_RELEASE",
      "WHENCE_ERR_INCIDENT_WITHOUT_FAILURE",
      "WHENCE_ERR_MUTE_IN_THE_PAST",
    ],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope & LifecycleScope>>;

/** Route for what people and agents decide about an incident: by key or session. The audit log records who did. */
export function lifecycleRoutes(app: FastifyInstance, context: Context): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/lifecycle",
    { ...byKeyOrMember("analyze"), schema: operations.change },
    async (request): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const change = parse(lifecycleChangeSchema, request.body, "body");
      const { id } = await readIncident(context, caller, request.params.id);
      await changeLifecycleOf(context, caller, id, change);
      return readIncident(context, caller, id);
    },
  );
}

/** Changes the lifecycle of a visible incident; throws the error for a change that isn't made. */
export async function changeLifecycleOf(
  { control, clock }: Pick<HttpContext<Scoped<LifecycleScope>>, "control" | "clock">,
  caller: Caller,
  id: string,
  change: LifecycleChange,
): Promise<"changed" | "unchanged"> {
  const now = new Date(clock());
  if (change.action === "mute" && change.until.kind === "time" && Date.parse(change.until.at) <= now.getTime())
    throw analyzerErrors.create("WHENCE_ERR_MUTE_IN_THE_PAST", [change.until.at]);
  const result = await control.scope(caller.scopeId).lifecycle.change(id, change, caller.actor, now);
  const refused = refusal(id, result);
  if (refused) throw refused;
  return result.outcome === "changed" ? "changed" : "unchanged";
}

/** The error for a change that wasn't made. */
function refusal(id: string, result: LifecycleOutcome): WhenceError | null {
  switch (result.outcome) {
    case "changed":
    case "unchanged":
      return null;
    case "unknown":
      return unknownIncident(id);
    case "refused":
      return analyzerErrors.create("WHENCE_ERR_INCIDENT_RESOLVED", [id]);
    case "merged":
      return analyzerErrors.create("WHENCE_ERR_INCIDENT_MERGED", [id, result.into]);
    case "no-release":
      return analyzerErrors.create("WHENCE_ERR_INCIDENT_WITHOUT_RELEASE", [id]);
    case "no-failure":
      return analyzerErrors.create("WHENCE_ERR_INCIDENT_WITHOUT_FAILURE", [id]);
  }
}
