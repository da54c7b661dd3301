import { timestampSchema } from "@whence/protocol";
import type { DeliveryAccount } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { byKeyOrMember } from "./access.ts";
import type { HttpContext } from "./context.ts";
import { parse } from "./validation.ts";
import { requireScope } from "./viewer.ts";

const accountsDefault = 50;
const accountsMax = 200;
const defaultWindowMs = 24 * 3_600_000;

/** Which processes are asked for. */
export const deliveriesQuerySchema = z.object({
  service: z.string().optional(),
  instance: z.string().optional(),
  /** Processes heard of since then; a day ago unless told. */
  since: timestampSchema.optional(),
  limit: z.coerce.number().int().min(1).max(accountsMax).default(accountsDefault),
});

/** What one process sent, by its sequence numbers, and which of them never came. */
interface PresentedAccount {
  readonly instance: string;
  readonly service: string;
  readonly env: string;
  readonly host: string;
  readonly first_received_at: string;
  readonly last_received_at: string;
  readonly received: number;
  readonly last_seq: number;
  readonly ended: boolean;
  readonly missing: readonly { from_seq: number; to_seq: number; reason: string }[];
  readonly missing_events: number;
}

/** `GET /api/deliveries`: the accounts of the organization's processes, the one heard of last first. */
export function deliveryRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get(
    "/api/deliveries",
    byKeyOrMember("read"),
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
