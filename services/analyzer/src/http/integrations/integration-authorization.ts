import { type IntegrationKindName, integrationKinds, WhenceError } from "@whence/protocol";
import { type AuthorizationFlow, authorizationFlow } from "@whence/vendors";
import type { FastifyInstance, FastifyReply, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { finishAuthorization, startAuthorization } from "../../integrations/authorization/authorize.ts";
import { renewInstalledSource } from "../../webhooks/installed-source.ts";
import { byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireOwner } from "../viewer.ts";
import { kindOf } from "./kind-in-path.ts";

interface KindRoute {
  readonly Params: { readonly kind: string };
}

const accountLengthMax = 100;
const startSchema = z.object({
  /** The vendor's account to connect, for people who may read several. */
  account: z.string().trim().min(1).max(accountLengthMax).nullable().default(null),
});

const operations = {
  start: {
    operationId: "start_integration_authorization",
    tags: ["integrations"],
    summary: "Start to connect a third party by authorization: open the address that is returned",
    body: startSchema,
    response: { 200: z.object({ authorize_url: z.string() }) },
    errors: [
      "WHENCE_ERR_INTEGRATION_UNKNOWN",
      "WHENCE_ERR_INTEGRATION_BY_KEY",
      "WHENCE_ERR_AUTHORIZATION_UNCONFIGURED",
    ],
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * Routes for connecting by authorization: an owner starts it, authorizes at the vendor, and returns to the callback.
 */
export function integrationAuthorizationRoutes(app: FastifyInstance, context: HttpContext): void {
  app.post<KindRoute>(
    "/api/integrations/:kind/authorization",
    { ...byOwner, schema: operations.start },
    async (request): Promise<{ authorize_url: string }> => {
      requireSameOrigin(request, context);
      const member = await requireOwner(context, request);
      const kind = kindOf(request.params.kind);
      const { account } = parse(startSchema, request.body, "body");
      const flow = flowOf(kind, context);
      return { authorize_url: await startAuthorization(context, { kind, flow, member }, account) };
    },
  );

  // Undocumented, since only vendors send people here.
  app.get<KindRoute>("/api/integrations/:kind/authorization/callback", byOwner, async (request, reply) => {
    const member = await requireOwner(context, request);
    const page = `${context.appUrl}/settings/integrations`;
    try {
      const kind = kindOf(request.params.kind);
      const flow = flowOf(kind, context);
      const parameters = new URL(request.url, context.appUrl).searchParams;
      const outcome = await finishAuthorization(context, { kind, flow, member }, parameters);
      if ("continueAt" in outcome) return reply.redirect(outcome.continueAt, statusSeeOther);
      await recordChange(context, member, "integration.connected", integrationKinds[kind].label);
      await renewInstalledSource(context, member.organizationId, kind);
      return reply.redirect(page, statusSeeOther);
    } catch (error) {
      const isForPeople = error instanceof WhenceError && request.headers.accept?.includes("text/html") === true;
      if (!isForPeople || error.status >= statusFailed) throw error;
      return sendRefusal(reply, error, page);
    }
  });
}

const statusSeeOther = 303;
const statusFailed = 500;

function flowOf(kind: IntegrationKindName, { integrations }: HttpContext): AuthorizationFlow {
  const { label, authorization } = integrationKinds[kind];
  if (!authorization) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_BY_KEY", [label]);
  const flow = authorizationFlow(kind, integrations.applications);
  if (!flow) throw analyzerErrors.create("WHENCE_ERR_AUTHORIZATION_UNCONFIGURED", [label]);
  return flow;
}

/** Answers with text: a browser comes here from the vendor, without the application that would show the error. */
function sendRefusal(reply: FastifyReply, { status, message }: WhenceError, page: string): FastifyReply {
  const [text, back] = [message, page].map(escapeHtml);
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not connected</title><h1>Not connected</h1><p>${text}.</p><p><a href="${back}">Back to integrations</a></p></html>`,
    );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
