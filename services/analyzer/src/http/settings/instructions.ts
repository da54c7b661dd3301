import {
  type Instructions,
  instructionsChangeSchema,
  instructionsHistorySchema,
  instructionsSchema,
} from "@whence/protocol";
import type { AuditScope, InstructionsScope, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireMember, requireOwner } from "../viewer.ts";

const operations = {
  read: {
    operationId: "get_instructions",
    tags: ["organization"],
    summary: "Get the organization's custom instructions",
    response: { 200: instructionsSchema },
  },
  history: {
    operationId: "list_instructions",
    tags: ["organization"],
    summary: "List the newest 100 versions of the custom instructions",
    response: { 200: instructionsHistorySchema },
  },
  change: {
    operationId: "change_instructions",
    tags: ["organization"],
    summary: "Write the next version of the custom instructions, based on the version you read",
    body: instructionsChangeSchema,
    response: { 200: instructionsSchema },
    errors: ["WHENCE_ERR_INSTRUCTIONS_CHANGED"],
  },
} as const satisfies Record<string, FastifySchema>;

/** The organization's custom instructions for analyses: members read them, owners change them. */
export function instructionRoutes(
  app: FastifyInstance,
  context: HttpContext<Scoped<InstructionsScope & AuditScope>>,
): void {
  const { control, clock } = context;

  app.get("/api/instructions", { ...byMember, schema: operations.read }, async (request): Promise<Instructions> => {
    const { organizationId } = await requireMember(context, request);
    return control.scope(organizationId).instructions.read();
  });

  app.get(
    "/api/instructions/history",
    { ...byMember, schema: operations.history },
    async (request): Promise<{ versions: readonly Instructions[] }> => {
      const { organizationId } = await requireMember(context, request);
      return { versions: await control.scope(organizationId).instructions.history() };
    },
  );

  app.put("/api/instructions", { ...byOwner, schema: operations.change }, async (request): Promise<Instructions> => {
    requireSameOrigin(request, context);
    const change = parse(instructionsChangeSchema, request.body, "body");
    const owner = await requireOwner(context, request);
    const by = { id: owner.userId, name: owner.name };
    const { instructions } = control.scope(owner.organizationId);
    const written = await instructions.write({ ...change, by, now: new Date(clock()) });
    if (!written) throw analyzerErrors.create("WHENCE_ERR_INSTRUCTIONS_CHANGED", [change.version]);
    await recordChange(context, owner, "instructions.changed", `version ${written.version}`);
    return written;
  });
}
