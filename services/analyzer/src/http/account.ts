import type { Session, SignInOptions } from "@whence/protocol";
import type { FastifyInstance } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { byAnyone, byMember } from "./access.ts";
import type { HttpContext } from "./context.ts";

/** What the application asks first: who is signed in, and how one gets in. */
export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get("/api/session", byMember, async (request): Promise<Session> => {
    const person = await context.identity.person(request.headers);
    if (!person) throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
    const { userId: id, name, email } = person;
    const member = await context.identity.member(request.headers);
    return {
      user: { id, name, email },
      organization: member && { id: member.organizationId, name: member.organizationName, role: member.role },
      organizations: [...(await context.control.organizations.ofUser(id))],
    };
  });

  app.get("/api/sign-in", byAnyone, async (): Promise<SignInOptions> => context.identity.options);
}
