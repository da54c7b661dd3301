import { type BulkChange, type BulkResult, bulkChangeSchema, bulkResultSchema, WhenceError } from "@whence/protocol";
import type { IncidentScope, KeyStore, LifecycleScope, OwnershipScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { type Caller, requireCaller } from "../viewer.ts";
import { changeLifecycleOf } from "./lifecycle.ts";
import { changeOwnerOf } from "./owner.ts";
import { requireVisible } from "./visible-incident.ts";

const operations = {
  change: {
    operationId: "change_incidents",
    tags: ["incidents"],
    summary: "Resolve, mute, ignore, reopen, or take several incidents",
    body: bulkChangeSchema,
    response: { 200: bulkResultSchema },
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope & LifecycleScope & OwnershipScope>>;

const statusServerError = 500;

/**
 * Route for changing several incidents at once: by key or session. Each changes on its own, with its own entry in the
 * audit log, and one that is refused keeps no other from changing.
 */
export function bulkChangeRoutes(app: FastifyInstance, context: Context): void {
  app.post(
    "/api/incidents/changes",
    { ...byKeyOrMember("analyze"), schema: operations.change },
    async (request): Promise<BulkResult> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const { ids, change }: BulkChange = parse(bulkChangeSchema, request.body, "body");
      const results: BulkResult["results"] = [];
      // One after the other: each is a transaction, and a list doesn't take several connections.
      for (const id of new Set(ids)) results.push(await changeOne(context, caller, id, change));
      return { results };
    },
  );
}

async function changeOne(
  context: Context,
  caller: Caller,
  id: string,
  change: BulkChange["change"],
): Promise<BulkResult["results"][number]> {
  try {
    await requireVisible(context, caller, id);
    const outcome =
      change.action === "take"
        ? (await changeOwnerOf(context, caller, id, change)).outcome
        : await changeLifecycleOf(context, caller, id, change);
    return { id, outcome };
  } catch (error) {
    if (!(error instanceof WhenceError) || error.status >= statusServerError) throw error;
    return { id, outcome: "refused", code: error.code, message: error.message };
  }
}
