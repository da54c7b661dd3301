import type { Session, SignInOptions } from "@whence/protocol";
import type { FastifyInstance } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { byAnyone, byMember } from "./access.ts";
import type { HttpContext } from "./context.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { requirePerson } from "./viewer.ts";

/** What the application asks first: who is signed in, and how one gets in. A person may also delete their account. */
export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get("/api/session", byMember, async (request): Promise<Session> => {
    const { userId: id, name, email } = await requirePerson(context, request);
    const member = await context.identity.member(request.headers);
    return {
      user: { id, name, email },
      organization: member && { id: member.organizationId, name: member.organizationName, role: member.role },
      organizations: [...(await context.control.organizations.ofUser(id))],
    };
  });

  app.delete("/api/account", byMember, async (request): Promise<{ user_id: string }> => {
    requireSameOrigin(request, context);
    const { userId } = await requirePerson(context, request);
    const left = await context.control.organizations.ofUser(userId);
    const removal = await context.control.accounts.remove(userId);
    if (removal.outcome === "last-owner") {
      throw analyzerErrors.create("WHENCE_ERR_LAST_OWNER", [removal.organizations.join(", ")]);
    }
    const by = { id: userId, name: "a removed account" };
    for (const { id } of left) {
      const entry = { action: "member.removed", target: userId, by, now: new Date(context.clock()) } as const;
      await context.control.scope(id).audit.record(entry);
    }
    return { user_id: userId };
  });

  app.get("/api/sign-in", byAnyone, async (): Promise<SignInOptions> => context.identity.options);
}
