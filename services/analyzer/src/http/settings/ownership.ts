import { type Ownership, ownershipChangeSchema, ownershipSchema } from "@whence/protocol";
import type { AuditScope, KeyStore, OwnershipScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireOwner, requireScope } from "../viewer.ts";

const operations = {
  read: {
    operationId: "get_ownership",
    tags: ["incidents"],
    summary: "Get the rules for who owns new incidents",
    response: { 200: ownershipSchema },
  },
  replace: {
    operationId: "replace_ownership",
    tags: ["incidents"],
    summary: "Replace the rules for who owns new incidents",
    body: ownershipChangeSchema,
    response: { 200: ownershipSchema },
    errors: ["WHENCE_ERR_MEMBER_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

/** Routes for the rules of who owns new incidents: keys and members read them, owners of the organization write them. */
export function ownershipRoutes(
  app: FastifyInstance,
  context: HttpContext<KeyStore & Scoped<OwnershipScope & AuditScope>>,
): void {
  app.get(
    "/api/ownership",
    { ...byKeyOrMember("read"), schema: operations.read },
    async (request): Promise<Ownership> => {
      return context.control.scope(await requireScope(context, request)).ownershipRules.read();
    },
  );

  app.put("/api/ownership", { ...byOwner, schema: operations.replace }, async (request): Promise<Ownership> => {
    requireSameOrigin(request, context);
    const { rules } = parse(ownershipChangeSchema, request.body, "body");
    const owner = await requireOwner(context, request);
    const { ownershipRules } = context.control.scope(owner.organizationId);
    const { unknown } = await ownershipRules.replace(rules);
    if (unknown !== null) throw analyzerErrors.create("WHENCE_ERR_MEMBER_UNKNOWN", [unknown]);
    await recordChange(context, owner, "ownership.changed", rules.length === 1 ? "1 rule" : `${rules.length} rules`);
    return ownershipRules.read();
  });
}
