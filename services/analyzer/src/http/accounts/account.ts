import { type Session, type SignInOptions, sessionSchema, signInOptionsSchema } from "@whence/protocol";
import type { AccountStore, AuditScope, OrganizationStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byAnyone, byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { requirePerson } from "../viewer.ts";

const operations = {
  session: {
    operationId: "get_session",
    tags: ["session"],
    summary: "Get the signed-in person and their organization",
    response: { 200: sessionSchema },
  },
  remove: {
    operationId: "delete_account",
    tags: ["session"],
    summary: "Delete your account",
    response: { 200: z.object({ user_id: z.string() }) },
    errors: ["WHENCE_ERR_LAST_OWNER"],
  },
  signIn: {
    operationId: "get_sign_in",
    tags: ["session"],
    summary: "List the ways to sign in, and whether anyone may sign up",
    response: { 200: signInOptionsSchema },
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Routes that the application calls first: who is signed in, and the ways to sign in. A person may also delete their
 * account.
 */
export function accountRoutes(
  app: FastifyInstance,
  context: HttpContext<AccountStore & OrganizationStore & Scoped<AuditScope>>,
): void {
  app.get("/api/session", { ...byMember, schema: operations.session }, async (request): Promise<Session> => {
    const { userId: id, name, email, isVerified, hasSecondFactor } = await requirePerson(context, request);
    const member = await context.identity.member(request.headers);
    return {
      user: { id, name, email, email_verified: isVerified, two_factor: hasSecondFactor },
      organization: member && { id: member.organizationId, name: member.organizationName, role: member.role },
      organizations: [...(await context.control.organizations.ofUser(id))],
    };
  });

  app.delete(
    "/api/account",
    { ...byMember, schema: operations.remove },
    async (request): Promise<{ user_id: string }> => {
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
    },
  );

  app.get(
    "/api/sign-in",
    { ...byAnyone, schema: operations.signIn },
    async (): Promise<SignInOptions> => context.identity.options,
  );
}
