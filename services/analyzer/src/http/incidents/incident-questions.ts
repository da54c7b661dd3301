import { type QuestionAnswer, questionAnswerSchema, questionRequestSchema } from "@whence/protocol";
import type { IncidentScope, KeyStore, Scoped } from "@whence/storage";
import { markdownOf } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { followUpAnswer } from "../../conversations/follow-up/follow-up-answer.ts";
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
  summary: "Ask about a finished report; the answer comes from the report alone, and changes nothing",
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
      const answer = followUpAnswer(incident, question, incident.url);
      return { answer, markdown: markdownOf(answer, markdownLengthMax) };
    },
  );
}
