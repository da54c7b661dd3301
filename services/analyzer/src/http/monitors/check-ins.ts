import { checkInStatuses, monitorStates } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import { hashSecret } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import { stateOf } from "../../monitors/judge.ts";
import { recordCheckIn } from "../../monitors/record-check-in.ts";
import type { SettlingContext } from "../../monitors/settle-check.ts";
import { byAnyone } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { parse } from "../validation.ts";

const keyLengthMax = 100;
/** Queries are never logged, so the key may be in one. */
const querySchema = z.object({
  key: z.string().max(keyLengthMax).default(""),
  status: z.enum(checkInStatuses).default("ok"),
});

const checkedInSchema = z.object({
  /** The state of the monitor; a paused one records nothing. */
  state: z.enum(monitorStates),
  /** When the next run is due. RFC 3339; null when none is, and while it is paused. */
  expected_at: z.string().nullable(),
});
type CheckedIn = z.infer<typeof checkedInSchema>;

const received = {
  tags: ["monitors"],
  querystring: querySchema,
  response: { 200: checkedInSchema },
  errors: ["WHENCE_ERR_CHECK_IN_UNKNOWN", "WHENCE_ERR_RATE_LIMITED"],
} as const satisfies FastifySchema;

const operations = {
  post: { ...received, operationId: "check_in", summary: "Report a run of a job, by the key of its monitor" },
  get: { ...received, operationId: "check_in_by_get", summary: "The same for programs that can only open an address" },
} as const satisfies Record<string, FastifySchema>;

interface CheckInRoute {
  readonly Params: { readonly slug: string };
}

/** `POST /api/check-ins/:slug?key=…&status=…`, and the same by `GET`. */
export function checkInRoutes(
  app: FastifyInstance,
  context: HttpContext<HttpContext["control"] & SettlingContext["control"]>,
  rateLimits: RouteRateLimits,
): void {
  const receive = async (request: FastifyRequest<CheckInRoute>, reply: FastifyReply): Promise<CheckedIn> => {
    const { key, status } = parse(querySchema, request.query, "query");
    const { slug } = request.params;
    await rateLimits.checkIn(request, reply);
    const monitor = await recordCheckIn(
      { ...context, logger: request.log },
      { slug, keyHash: hashSecret(key), status },
    );
    if (!monitor) throw analyzerErrors.create("WHENCE_ERR_CHECK_IN_UNKNOWN", [slug.slice(0, keyLengthMax)]);
    return { state: stateOf(monitor), expected_at: monitor.progress.expectedAt };
  };
  const path = "/api/check-ins/:slug";
  app.post<CheckInRoute>(path, { ...byAnyone, schema: operations.post }, receive);
  app.get<CheckInRoute>(path, { ...byAnyone, schema: operations.get }, receive);
}
