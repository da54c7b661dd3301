import { type SetupRequest, setupRequestSchema } from "@whence/protocol";
import type { OrganizationStore, SetUpOutcome } from "@whence/storage";
import { isSameToken } from "@whence/vendors";
import type { FastifyInstance, FastifyReply, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { SignInDelayed } from "../../identity/identity.ts";
import { byAnyone } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";

/** The query of a setup link. */
const setupQuerySchema = z.object({ token: z.string().default("") });

const operations = {
  read: {
    operationId: "get_setup",
    tags: ["session"],
    summary: "Check whether a setup link is still open",
    querystring: setupQuerySchema,
    response: { 200: z.object({ open: z.literal(true) }) },
    errors: ["WHENCE_ERR_SETUP_CLOSED"],
  },
  setUp: {
    operationId: "set_up",
    tags: ["session"],
    summary: "Create the first owner, and sign them in",
    body: setupRequestSchema,
    response: { 200: z.object({ organization_id: z.string() }) },
    errors: [
      "WHENCE_ERR_ORIGIN_REFUSED",
      "WHENCE_ERR_EMAIL_TAKEN",
      "WHENCE_ERR_SETUP_CLOSED",
      "WHENCE_ERR_RATE_LIMITED",
      "WHENCE_ERR_SIGN_IN_DELAYED",
    ],
  },
} as const satisfies Record<string, FastifySchema>;

/** The dependencies for creating the first owner. */
export interface SetupLink {
  readonly organizationId: string;
  /** The token of the setup link, invalid once the service has had an owner. */
  readonly token: string;
}

/** The setup link of a new service: the first person to use it becomes the owner. */
export function setupRoutes(
  app: FastifyInstance,
  context: HttpContext<OrganizationStore>,
  rateLimits: RouteRateLimits,
  setup: SetupLink,
): void {
  const { organizations } = context.control;
  const requireOpen = async (token: string): Promise<void> => {
    if (isSameToken(token, setup.token) && !(await organizations.isSetUp())) return;
    throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
  };

  app.get("/api/setup", { ...byAnyone, schema: operations.read }, async (request): Promise<{ open: true }> => {
    const { token } = parse(setupQuerySchema, request.query, "query");
    await requireOpen(token);
    return { open: true };
  });

  app.post(
    "/api/setup",
    { ...byAnyone, schema: operations.setUp },
    async (request, reply): Promise<{ organization_id: string }> => {
      requireSameOrigin(request, context);
      await rateLimits.signIn(request, reply);
      const owner = parse(setupRequestSchema, request.body, "body");
      if (!isSameToken(owner.token, setup.token)) throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
      const outcome = await makeOwner(context, setup.organizationId, owner);
      if (outcome === "email-taken") throw analyzerErrors.create("WHENCE_ERR_EMAIL_TAKEN");
      // A retry after a lost answer comes from the owner, who is signed in; anyone else is rejected.
      const cookies = await signIn(context, { owner, userAgent: request.headers["user-agent"] }, reply);
      if (!cookies) throw analyzerErrors.create("WHENCE_ERR_SETUP_CLOSED");
      reply.header("set-cookie", [...cookies]);
      return { organization_id: setup.organizationId };
    },
  );
}

async function signIn(
  { identity }: Pick<HttpContext, "identity">,
  { owner, userAgent }: { readonly owner: SetupRequest; readonly userAgent: string | undefined },
  reply: FastifyReply,
): Promise<readonly string[] | null> {
  try {
    return await identity.signIn(owner, userAgent);
  } catch (error) {
    if (!(error instanceof SignInDelayed)) throw error;
    reply.header("retry-after", error.seconds);
    throw analyzerErrors.create("WHENCE_ERR_SIGN_IN_DELAYED", [error.seconds]);
  }
}

async function makeOwner(
  { control: { organizations }, identity, clock }: HttpContext<OrganizationStore>,
  organizationId: string,
  { name, email, password }: SetupRequest,
): Promise<SetUpOutcome> {
  if (await organizations.isSetUp()) return "spent";
  const passwordHash = await identity.hashPassword(password);
  return organizations.setUp({ organizationId, name, email, passwordHash, now: new Date(clock()) });
}
