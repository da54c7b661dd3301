import {
  type AnalysisPreview,
  type AnalyzeResponse,
  analysisPreviewRequestSchema,
  analysisPreviewSchema,
  analyzeRequestSchema,
  analyzeResponseSchema,
  dayMs,
  limits,
  secondMs,
} from "@whence/protocol";
import type {
  IncidentScope,
  InputQuota,
  InputRoom,
  KeyStore,
  Principal,
  Scoped,
  StoredIncident,
} from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { AskedText } from "../../analysis/analysis-body.ts";
import { analyzerErrors } from "../../errors.ts";
import { incidentUrl } from "../../incidents/incident-url.ts";
import { openForAnalysis } from "../../incidents/open-incident.ts";
import { byKey, byKeyOrMember, byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { analysisBodyBytesMax, type BodyPlaces } from "../limits/body-places.ts";
import { boundedBody } from "../limits/bounded-body.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { refuseWhenReserved } from "../limits/refuse-when-reserved.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { memberCaller, requireCaller, requireKey, requireMember } from "../viewer.ts";

/** The longest CPU time of one investigation, after which there is likely to be room. */
const retryBusyAgentSeconds = limits.investigationProcessorMs / secondMs;

const inputRoom: InputRoom = {
  unclaimedAgentBytesMax: limits.unclaimedAgentInputBytesMax,
  unclaimedAgentsBytesMax: limits.unclaimedAgentsInputBytesMax,
  keyBytesMax: limits.keyInputBytesMax,
  organizationBytesMax: limits.organizationInputBytesMax,
};

const quotaErrors = {
  "unclaimed-agent": "WHENCE_ERR_AGENT_INPUT_QUOTA",
  "unclaimed-agents": "WHENCE_ERR_AGENTS_INPUT_QUOTA",
  key: "WHENCE_ERR_KEY_INPUT_QUOTA",
  organization: "WHENCE_ERR_ORGANIZATION_INPUT_QUOTA",
} as const satisfies Record<InputQuota, string>;

/** The largest valid body of a preview, which needs only the names of files, and the content of source maps. */
const previewBodyBytesMax =
  2 * (limits.errorLogBytesMax + limits.filesMax * limits.fileNameLengthMax + limits.previewedContentBytesMax) + 65_536;

const agentBody = { bytesMax: limits.unclaimedAgentAnalysisBytesMax, discardedMax: analysisBodyBytesMax };
const agentBodyTooLarge = (): Error => analyzerErrors.create("WHENCE_ERR_AGENT_BODY_TOO_LARGE", [agentBody.bytesMax]);

/** Errors of a text to be stored. */
const inputErrors = [
  "WHENCE_ERR_RATE_LIMITED",
  "WHENCE_ERR_BODIES_UNDER_WAY",
  "WHENCE_ERR_ORGANIZATION_INPUT_QUOTA",
  "WHENCE_ERR_DISK_RESERVED",
] as const;

const operations = {
  analyzeByKey: {
    operationId: "analyze_incident_mcp_api_mcp_analyze_post",
    tags: ["mcp"],
    summary: "Start an analysis of an error text, with source files if there are any",
    body: analyzeRequestSchema,
    response: { 200: analyzeResponseSchema },
    errors: [
      ...inputErrors,
      "WHENCE_ERR_AGENT_BODY_TOO_LARGE",
      "WHENCE_ERR_AGENT_INPUT_QUOTA",
      "WHENCE_ERR_AGENTS_INPUT_QUOTA",
      "WHENCE_ERR_KEY_INPUT_QUOTA",
      "WHENCE_ERR_AGENT_QUOTA",
      "WHENCE_ERR_AGENT_BUSY",
    ],
  },
  analyze: {
    operationId: "analyze",
    tags: ["incidents"],
    summary: "Start an analysis of an error text as /api/mcp/analyze does",
    body: analyzeRequestSchema,
    response: { 200: analyzeResponseSchema },
    errors: inputErrors,
  },
  preview: {
    operationId: "preview_analysis",
    tags: ["incidents"],
    summary: "Get what an analysis of the text would start from; opens no incident and stores nothing",
    body: analysisPreviewRequestSchema,
    response: { 200: analysisPreviewSchema },
    errors: ["WHENCE_ERR_RATE_LIMITED", "WHENCE_ERR_BODIES_UNDER_WAY"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope>>;

/**
 * `POST /api/mcp/analyze` by key and `POST /api/analyze` by session: stores a queued incident and answers at once; the
 * investigation follows. They parse bodies themselves, so register them in a separate scope.
 */
export function analyzeRoutes(
  app: FastifyInstance,
  context: Context,
  rateLimits: RouteRateLimits,
  bodies: BodyPlaces,
): void {
  // Parsed in a thread: a large one takes so long that other requests would wait.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  app.post("/api/mcp/analyze", {
    ...byKey("analyze"),
    schema: operations.analyzeByKey,
    bodyLimit: analysisBodyBytesMax,
    // Before the body is read: 40 MB aren't parsed for a request without a key.
    onRequest: async (request, reply) => {
      request.principal = await requireKey(context, request);
      await rateLimits.analyze(request, reply);
      if (isUnclaimed(request.principal)) await rateLimits.unclaimedAnalyze(request, reply);
      await refuseWhenReserved(context, reply, isUnclaimed(request.principal) ? "unclaimed-inputs" : "inputs");
      bodies.take(request, reply, request.principal.scopeId);
    },
    preParsing: async (request, _reply, payload) =>
      isUnclaimed(request.principal) ? boundedBody(payload, agentBody, agentBodyTooLarge) : payload,
    handler: async (request, reply): Promise<AnalyzeResponse> => {
      const principal = request.principal ?? (await requireKey(context, request));
      const { scopeId, keyId } = principal;
      const agentId = principal.kind === "agent" ? principal.agentId : null;
      return startAnalysis(context, request, reply, { scopeId, agentId, keyId });
    },
  });

  app.post("/api/analyze", {
    ...byMember,
    schema: operations.analyze,
    bodyLimit: analysisBodyBytesMax,
    onRequest: async (request, reply) => {
      requireSameOrigin(request, context);
      request.caller = memberCaller(await requireMember(context, request));
      await rateLimits.analyze(request, reply);
      await refuseWhenReserved(context, reply, "inputs");
      bodies.take(request, reply, request.caller.scopeId);
    },
    handler: async (request, reply): Promise<AnalyzeResponse> => {
      const { scopeId } = request.caller ?? memberCaller(await requireMember(context, request));
      return startAnalysis(context, request, reply, { scopeId, agentId: null, keyId: null });
    },
  });
}

/** `POST /api/analyze/preview`: returns what an analysis would start from, and stores nothing. */
export function analysisPreviewRoutes(
  app: FastifyInstance,
  context: Context,
  rateLimits: RouteRateLimits,
  bodies: BodyPlaces,
): void {
  app.post("/api/analyze/preview", {
    ...byKeyOrMember("analyze"),
    schema: operations.preview,
    bodyLimit: previewBodyBytesMax,
    onRequest: async (request, reply) => {
      requireSameOrigin(request, context);
      request.caller = await requireCaller(context, request);
      await rateLimits.preview(request, reply);
      bodies.take(request, reply, request.caller.scopeId);
    },
    handler: async (request): Promise<AnalysisPreview> => {
      const { scopeId } = request.caller ?? (await requireCaller(context, request));
      return context.preview(parse(analysisPreviewRequestSchema, request.body, "body"), scopeId);
    },
  });
}

interface Asker {
  readonly scopeId: string;
  readonly agentId: string | null;
  readonly keyId: string | null;
}

async function startAnalysis(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  asker: Asker,
): Promise<AnalyzeResponse> {
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const asked = await context.readAnalysisBody(body, asker.scopeId);
  const { id } = await openWithin(context, asker, asked, reply);
  return { incident_id: id, status: "queued", url: incidentUrl(context.appUrl, id) };
}

function isUnclaimed(principal: Principal | null): boolean {
  return principal !== null && principal.organizationId === null;
}

function refusedInput(
  { metrics }: Pick<HttpContext, "metrics">,
  { quota, bytesMax }: { quota: InputQuota; bytesMax: number },
): Error {
  metrics.inputsRefused.inc({ reason: quota });
  return analyzerErrors.create(quotaErrors[quota], [bytesMax]);
}

/** Opens the incident of an unclaimed agent within its limits; the transaction detects a claim in the meantime. */
async function openWithin(
  context: Context,
  { scopeId, agentId, keyId }: Asker,
  asked: AskedText,
  reply: FastifyReply,
): Promise<StoredIncident> {
  const { unclaimedAgentAnalysesPerDay: max, unclaimedAgentOpenAnalysesMax: openMax } = context.limits;
  const allowance = { max, spanMs: dayMs, openMax };
  const origin = { kind: "analysis", asked, agentId, keyId, allowance, room: inputRoom } as const;
  const opened = await openForAnalysis(context, scopeId, origin);
  if (opened.outcome === "opened") return opened.incident;
  if (opened.outcome === "busy") {
    reply.header("retry-after", retryBusyAgentSeconds);
    throw analyzerErrors.create("WHENCE_ERR_AGENT_BUSY", [openMax, retryBusyAgentSeconds]);
  }
  if (opened.outcome === "no-room") throw refusedInput(context, opened);
  const seconds = Math.max(1, Math.ceil((opened.freeAt.getTime() - context.clock()) / secondMs));
  reply.header("retry-after", seconds);
  throw analyzerErrors.create("WHENCE_ERR_AGENT_QUOTA", [allowance.max, seconds]);
}
