import type { AuditStore } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { parse } from "../http/validation.ts";

const headsMax = 100;
const headSchema = z.string().regex(/^[0-9a-f]{64}$/);
/** One head is parsed as a string, several as a list. */
const querySchema = z.object({
  head: z.union([headSchema.transform((head) => [head]), z.array(headSchema).max(headsMax)]).default([]),
});

/** Whether the audit log of an organization is unchanged. */
interface PresentedVerdict {
  readonly organization_id: string;
  readonly entries: number;
  readonly head: string;
  readonly fault: { readonly kind: string; readonly seq: number; readonly entry_id: string | null } | null;
}

/**
 * `GET /operator/audit-log`: the verdict on each organization's log, and which of the given heads none of the logs
 * contains.
 */
export function auditLogRoute(app: FastifyInstance, control: AuditStore): void {
  app.get("/operator/audit-log", async (request) => {
    const { head } = parse(querySchema, request.query, "query");
    const { organizations, missingHeads } = await control.verifyAuditLog(head);
    const verdicts = organizations.map(
      ({ organizationId, entries, head: last, fault }): PresentedVerdict => ({
        organization_id: organizationId,
        entries,
        head: last,
        fault: fault && { kind: fault.kind, seq: fault.seq, entry_id: fault.entryId },
      }),
    );
    return { organizations: verdicts, missing_heads: missingHeads };
  });
}
