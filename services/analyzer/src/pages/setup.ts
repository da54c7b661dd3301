import type { SetUpOutcome } from "@whence/storage";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { isSameToken } from "../credentials.ts";
import { analyzerErrors } from "../errors.ts";
import type { HttpContext } from "../http/context.ts";
import type { RouteRateLimits } from "../http/rate-limits.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { parse } from "../http/validation.ts";
import { setupForm } from "./forms.ts";
import { localPath } from "./local-path.ts";
import { show } from "./show.ts";

const text = z.string().default("");
const linkSchema = z.object({ token: text, next: text });
const ownerSchema = z.object({
  name: z.string().min(1).max(100),
  email: z.email().toLowerCase(),
  password: z.string().min(8).max(128),
});

/** What it takes to let the first owner in. */
export interface SetupLink {
  readonly organizationId: string;
  /** The token of the set-up link, worth nothing once the service had its first owner. */
  readonly token: string;
}

/** The set-up link of a new service: whoever opens it first becomes the owner. */
export function setupPages(
  app: FastifyInstance,
  context: HttpContext,
  rateLimits: RouteRateLimits,
  setup: SetupLink,
): void {
  const { organizations } = context.control;
  const isOpen = async (token: string): Promise<boolean> =>
    isSameToken(token, setup.token) && !(await organizations.isSetUp(setup.organizationId));

  app.get("/setup", async (request, reply) => {
    const { token, next } = parse(linkSchema, request.query, "query");
    if (!(await isOpen(token))) throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
    return show(reply, "Set up", setupForm({ token, next: localPath(next) }));
  });

  app.post("/setup", async (request, reply) => {
    requireSameOrigin(request);
    await rateLimits.signIn(request, reply);
    const { token, next } = parse(linkSchema, request.body, "body");
    if (!isSameToken(token, setup.token)) throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
    const refuse = (problem: string): FastifyReply =>
      show(reply.code(422), "Set up", setupForm({ problem, token, next: localPath(next) }));
    const owner = ownerSchema.safeParse(request.body);
    if (!owner.success) {
      if (!(await isOpen(token))) throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
      return refuse("A name, an email address and a password of 8 to 128 characters are needed.");
    }
    const outcome = await makeOwner(context, setup.organizationId, owner.data);
    if (outcome === "email-taken") return refuse("There is an account with this email address already.");
    // Whoever sends the form again, since no answer came, is the owner by now and gets in; nobody else does.
    const cookies = await context.identity.signIn(owner.data);
    if (!cookies) throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
    return reply.header("set-cookie", [...cookies]).redirect(localPath(next), 303);
  });
}

async function makeOwner(
  { control: { organizations }, identity, clock }: HttpContext,
  organizationId: string,
  { name, email, password }: z.infer<typeof ownerSchema>,
): Promise<SetUpOutcome> {
  if (await organizations.isSetUp(organizationId)) return "spent";
  const passwordHash = await identity.hashPassword(password);
  return organizations.setUp({ organizationId, name, email, passwordHash, now: new Date(clock()) });
}
