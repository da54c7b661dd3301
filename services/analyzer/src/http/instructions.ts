import { type Instructions, instructionsChangeSchema } from "@whence/protocol";
import type { FastifyInstance } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { byMember, byOwner } from "./access.ts";
import { recordChange } from "./audit.ts";
import type { HttpContext } from "./context.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { parse } from "./validation.ts";
import { requireMember, requireOwner } from "./viewer.ts";

/** What the organization wants every analysis to know: members read it, owners change it. */
export function instructionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { control, clock } = context;

  app.get("/api/instructions", byMember, async (request): Promise<Instructions> => {
    const { organizationId } = await requireMember(context, request);
    return control.scope(organizationId).instructions.read();
  });

  app.get("/api/instructions/history", byMember, async (request): Promise<{ versions: readonly Instructions[] }> => {
    const { organizationId } = await requireMember(context, request);
    return { versions: await control.scope(organizationId).instructions.history() };
  });

  app.put("/api/instructions", byOwner, async (request): Promise<Instructions> => {
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
