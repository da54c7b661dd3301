import { type AuditAction, type AuditPage, auditPageSchema } from "@whence/protocol";
import type { AuditScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import type { Member } from "../../identity/identity.ts";
import { byOwner } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { parse } from "../validation.ts";
import { type Caller, memberCaller, requireOwner } from "../viewer.ts";

/** The page of the audit log to return. */
const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before: z.string().max(100).optional(),
});

const operations = {
  list: {
    operationId: "list_audit",
    tags: ["organization"],
    summary: "List who changed what in the organization, newest first",
    querystring: auditQuerySchema,
    response: { 200: auditPageSchema },
  },
} as const satisfies Record<string, FastifySchema>;

/** Routes for the audit log of an organization, for owners. */
export function auditRoutes(app: FastifyInstance, context: HttpContext<Scoped<AuditScope>>): void {
  app.get("/api/audit", { ...byOwner, schema: operations.list }, async (request): Promise<AuditPage> => {
    const { limit, before } = parse(auditQuerySchema, request.query, "query");
    const { organizationId } = await requireOwner(context, request);
    const entries = await context.control.scope(organizationId).audit.list({ limit, before });
    return { entries: [...entries], next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null };
  });
}

/** Records a change by a member or a key in the audit log. Call it after the change. */
export async function recordChangeOf(
  { control, clock }: Pick<HttpContext<Scoped<AuditScope>>, "control" | "clock">,
  { scopeId, actor: { id, name } }: Caller,
  action: AuditAction,
  target: string,
): Promise<void> {
  await control.scope(scopeId).audit.record({ action, target, by: { id, name }, now: new Date(clock()) });
}

/** Records a member's change in the audit log. Call it after the change. */
export async function recordChange(
  context: Pick<HttpContext<Scoped<AuditScope>>, "control" | "clock">,
  member: Member,
  action: AuditAction,
  target: string,
): Promise<void> {
  await recordChangeOf(context, memberCaller(member), action, target);
}
