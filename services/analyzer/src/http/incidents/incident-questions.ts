import { type QuestionAnswer, questionAnswerSchema, questionRequestSchema } from "@whence/protocol";
import type { IncidentScope, KeyStore, Scoped } from "@whence/storage";
import { markdownOf } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { answerFollowUp } from "../../conversations/follow-up/answer-follow-up.ts";
import type { ModelAnswer } from "../../questions/ask-model.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireCaller } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

/** Longer than the longest answer. */
const markdownLengthMax = 65_536;

const operation = {
  operationId: "ask_incident",
  tags: ["incidents"],
  summary:
    "Ask about a finished report; each statement of the answer is the report's, or a language model's with a quote that was found; it changes nothing",
  body: questionRequestSchema,
  response: { 200: questionAnswerSchema },
  errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_RATE_LIMITED"],
} as const satisfies FastifySchema;

/** Questions about reports, by key or session. */
export function incidentQuestionRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<IncidentScope>>,
  rateLimits: RouteRateLimits,
): void {
  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/questions",
    { ...byKeyOrMember("analyze", "read"), schema: operation },
    async (request, reply): Promise<QuestionAnswer> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      request.caller = caller;
      await rateLimits.question(request, reply);
      const { question } = parse(questionRequestSchema, request.body, "body");
      const incident = await readIncident(context, caller, request.params.id);
      const asked = { scopeId: caller.scopeId, incident, question, url: incident.url };
      const { answer, model } = await answerFollowUp(asked, context.askModel);
      return { answer, markdown: markdownOf(answer, markdownLengthMax), model: model && toModelAnswer(model) };
    },
  );
}

function toModelAnswer({ model, outcome, statements, dropped }: ModelAnswer): QuestionAnswer["model"] {
  return { name: model, outcome, statements, dropped: dropped.length };
}
