import {
  type Accuracy,
  accuracySchema,
  type FeedbackAnswer,
  type FeedbackRequest,
  feedbackAnswerSchema,
  feedbackRequestSchema,
} from "@whence/protocol";
import type { FeedbackScope, IncidentScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { accuracyOf } from "../../learning/accuracy.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { type Caller, requireCaller, requireScope } from "../viewer.ts";
import { requireVisible } from "./visible-incident.ts";

/** The newest reports that accuracy is computed from. */
const recordsMax = 2_000;

const operations = {
  give: {
    operationId: "give_feedback",
    tags: ["incidents"],
    summary: "Rate whether the report's first candidate is the cause; a later verdict replaces yours",
    body: feedbackRequestSchema,
    response: { 200: feedbackAnswerSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_REPORT_MISSING", "WHENCE_ERR_VERDICT_LIMIT"],
  },
  accuracy: {
    operationId: "get_accuracy",
    tags: ["organization"],
    summary:
      "Get how often reports were right, by confidence and category, as rated by people, agents, and predictions",
    response: { 200: accuracySchema },
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope & FeedbackScope>>;

/** Routes for feedback on reports, and for their accuracy: by key or session. */
export function feedbackRoutes(app: FastifyInstance, context: Context): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/feedback",
    { ...byKeyOrMember("analyze"), schema: operations.give },
    async (request): Promise<FeedbackAnswer> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const opinion = parse(feedbackRequestSchema, request.body, "body");
      return giveFeedback(context, caller, request.params.id, opinion);
    },
  );

  app.get(
    "/api/accuracy",
    { ...byKeyOrMember("read"), schema: operations.accuracy },
    async (request): Promise<Accuracy> => {
      const scopeId = await requireScope(context, request);
      return accuracyOf(await context.control.scope(scopeId).feedback.records({ limit: recordsMax, judged: false }));
    },
  );
}

/** Stores the opinion, and returns all feedback on the incident; throws why it isn't accepted. */
async function giveFeedback(
  context: Context,
  caller: Caller,
  id: string,
  opinion: FeedbackRequest,
): Promise<FeedbackAnswer> {
  const { control, clock } = context;
  await requireVisible(context, caller, id);
  const given = await control.scope(caller.scopeId).feedback.give(id, caller.author, opinion, new Date(clock()));
  if (given.outcome === "kept") return { counts: given.counts, feedback: [...given.feedback] };
  if (given.outcome === "unknown") throw analyzerErrors.create("WHENCE_ERR_INCIDENT_UNKNOWN", [id.slice(0, 60)]);
  if (given.outcome === "no-report") throw analyzerErrors.create("WHENCE_ERR_REPORT_MISSING", [id]);
  throw analyzerErrors.create("WHENCE_ERR_VERDICT_LIMIT", [id]);
}
