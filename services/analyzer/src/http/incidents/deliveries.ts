import { dayMs, timestampSchema } from "@whence/protocol";
import type { DeliveryAccount, KeyStore } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { requireScope } from "../viewer.ts";

const accountsDefault = 50;
const accountsMax = 200;
const defaultWindowMs = dayMs;

/** The filter of processes. */
const deliveriesQuerySchema = z.object({
  service: z.string().optional(),
  instance: z.string().optional(),
  /** Only processes that sent something since; by default, in the last 24 hours. */
  since: timestampSchema.optional(),
  limit: z.coerce.number().int().min(1).max(accountsMax).default(accountsDefault),
});

/** What one process sent, by sequence number, and which numbers never arrived. */
const accountSchema = z.object({
  instance: z.string(),
  service: z.string(),
  env: z.string(),
  host: z.string(),
  first_received_at: z.string(),
  last_received_at: z.string(),
  received: z.int(),
  last_seq: z.int(),
  ended: z.boolean(),
  missing: z.array(z.object({ from_seq: z.int(), to_seq: z.int(), reason: z.string() })),
  missing_events: z.int(),
});
type PresentedAccount = z.infer<typeof accountSchema>;

const operations = {
  list: {
    operationId: "list_deliveries",
    tags: ["telemetry"],
    summary: "List what each process sent by sequence number, and what never arrived, with the reason",
    querystring: deliveriesQuerySchema,
    response: { 200: z.object({ deliveries: z.array(accountSchema) }) },
  },
} as const satisfies Record<string, FastifySchema>;

/** `GET /api/deliveries`: returns the accounts of the organization's processes, the most recently active first. */
export function deliveryRoutes(app: FastifyInstance, context: HttpContext<KeyStore>): void {
  app.get(
    "/api/deliveries",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<{ deliveries: readonly PresentedAccount[] }> => {
      const scopeId = await requireScope(context, request);
      const { since, limit, service, instance } = parse(deliveriesQuerySchema, request.query, "query");
      const from = since === undefined ? context.clock() - defaultWindowMs : Date.parse(since);
      const accounts = await context.events.forScope(scopeId).deliveries({
        since: new Date(from).toISOString(),
        limit,
        ...(service === undefined ? {} : { service }),
        ...(instance === undefined ? {} : { instance }),
      });
      return { deliveries: accounts.map(present) };
    },
  );
}

function present(account: DeliveryAccount): PresentedAccount {
  return {
    instance: account.instance,
    service: account.service,
    env: account.env,
    host: account.host,
    first_received_at: account.firstReceivedAt,
    last_received_at: account.lastReceivedAt,
    received: account.received,
    last_seq: account.lastSeq,
    ended: account.ended,
    missing: account.missing.map(({ fromSeq, toSeq, reason }) => ({ from_seq: fromSeq, to_seq: toSeq, reason })),
    missing_events: account.missingEvents,
  };
}
