import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { claimAgent } from "../http/agents.ts";
import type { HttpContext } from "../http/context.ts";
import { readIncident } from "../http/incidents.ts";
import type { RouteRateLimits } from "../http/rate-limits.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { parse } from "../http/validation.ts";
import type { Member } from "../identity/identity.ts";
import { claimForm, signInForm } from "./forms.ts";
import { html } from "./html.ts";
import { incidentListBody } from "./incident-list-page.ts";
import { incidentBody } from "./incident-page.ts";
import { localPath } from "./local-path.ts";
import { type SetupLink, setupPages } from "./setup.ts";
import { answerPageError, show } from "./show.ts";

const incidentsShown = 50;
const refreshSeconds = 2;

const text = z.string().default("");
const signInSchema = z.object({ email: text, password: text, next: text, claim: z.string().optional() });
const claimSchema = z.object({ claim: text });
const linkSchema = z.object({ next: text, claim: z.string().optional() });
/** The few pages that people need before the web application: set-up, sign-in, claim, incidents. No script on them. */
export async function pageRoutes(
  app: FastifyInstance,
  context: HttpContext,
  rateLimits: RouteRateLimits,
  setup: SetupLink,
): Promise<void> {
  await app.register(formbody);
  app.setErrorHandler(answerPageError);
  signInPages(app, context, rateLimits);
  setupPages(app, context, rateLimits, setup);
  incidentPages(app, context);
}

function signInPages(app: FastifyInstance, context: HttpContext, rateLimits: RouteRateLimits): void {
  app.get("/login", async (request, reply) => {
    const { next, claim } = parse(linkSchema, request.query, "query");
    const member = await context.identity.member(request.headers);
    if (!member) return show(reply, "Sign in", signInForm({ next: localPath(next), claim: claim ?? null }));
    if (claim === undefined) return reply.redirect(localPath(next));
    return show(reply, "Claim an agent", claimForm(claim, member.organizationName), member);
  });

  app.post("/login", async (request, reply) => {
    requireSameOrigin(request);
    await rateLimits.signIn(request, reply);
    const { email, password, next, claim } = parse(signInSchema, request.body, "body");
    const cookies = await context.identity.signIn({ email, password });
    if (!cookies) {
      const problem = analyzerErrors.create("WHENCE_ERR_SIGN_IN_REFUSED").message;
      return show(reply.code(401), "Sign in", signInForm({ problem, next: localPath(next), claim: claim ?? null }));
    }
    reply.header("set-cookie", [...cookies]);
    if (claim === undefined) return reply.redirect(localPath(next), 303);
    const cookie = cookies.map((line) => line.split(";", 1)[0]).join("; ");
    return claimAndShow(context, reply, claim, await context.identity.member({ cookie }));
  });

  app.post("/claim", async (request, reply) => {
    requireSameOrigin(request);
    const { claim } = parse(claimSchema, request.body, "body");
    return claimAndShow(context, reply, claim, await context.identity.member(request.headers));
  });

  app.post("/logout", async (request, reply) => {
    requireSameOrigin(request);
    return reply.header("set-cookie", [...(await context.identity.signOut(request.headers))]).redirect("/login", 303);
  });
}

async function claimAndShow(
  context: HttpContext,
  reply: FastifyReply,
  claim: string,
  member: Member | null,
): Promise<FastifyReply> {
  if (!member) throw analyzerErrors.create("WHENCE_ERR_NOT_SIGNED_IN", [context.appUrl]);
  const claimed = await claimAgent(context, claim, member.organizationId);
  const body = html`<h1>The agent is yours</h1>
<p>Agent <code>${claimed.agent_id}</code> belongs to <strong>${member.organizationName}</strong> since ${claimed.claimed_at}. It does not expire any more.</p>
<p><a href="/">To the incidents</a></p>`;
  return show(reply, "Agent claimed", body, member);
}

function incidentPages(app: FastifyInstance, context: HttpContext): void {
  const memberOrSignIn = async (request: FastifyRequest, reply: FastifyReply): Promise<Member | null> => {
    const member = await context.identity.member(request.headers);
    if (!member) reply.redirect(`/login?next=${encodeURIComponent(request.url)}`);
    return member;
  };

  app.get("/", async (request, reply) => {
    const member = await memberOrSignIn(request, reply);
    if (!member) return reply;
    const incidents = await context.control.scope(member.organizationId).incidents.list({ limit: incidentsShown });
    return show(reply, "Incidents", incidentListBody(incidents), member);
  });

  app.get<{ Params: { id: string } }>("/incidents/:id", async (request, reply) => {
    const member = await memberOrSignIn(request, reply);
    if (!member) return reply;
    const incident = await readIncident(context, member.organizationId, request.params.id);
    const ended = incident.status === "completed" || incident.status === "failed";
    return show(reply, incident.title, incidentBody(incident), member, ended ? undefined : refreshSeconds);
  });
}
