import { hkdfSync } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { AccountStore, OrganizationStore } from "@whence/storage";
import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { organization } from "better-auth/plugins/organization";
import { analyzerErrors } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { type Identity, type Member, type Person, SignInDelayed } from "./identity.ts";
import type { IdentityOptions } from "./identity-options.ts";
import { invitationMail, passwordResetMail } from "./mails.ts";
import { delaySecondsOf, forgetGuesses, passwordGuesses } from "./password-guesses.ts";
import { resignCookies } from "./resign-cookies.ts";

const statusFailed = 500;
const resetPath = "/api/auth/request-password-reset";

interface Secrets {
  readonly current: string;
  readonly former: readonly string[];
}

/**
 * {@link Identity} by better-auth, on the tables beside ours: users and sessions, organizations and members. While the
 * database is away, every method rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`.
 */
export function betterAuthIdentity(options: IdentityOptions): Omit<Identity, "options"> {
  const { control } = options;
  const { organizations } = control;
  const secrets = sessionSecrets(options.secretKeys);
  const auth = createAuth(options, secrets);

  /** Tells an unavailable database from other failures, because the library responds with 500 to all of them. */
  async function answered(answer: Promise<Response>): Promise<Response> {
    const response = await answer;
    if (response.status < statusFailed) return response;
    await control.check();
    throw analyzerErrors.create("WHENCE_ERR_INTERNAL");
  }

  async function sessionOf(headers: IncomingHttpHeaders): Promise<Awaited<ReturnType<typeof auth.api.getSession>>> {
    try {
      return await auth.api.getSession({ headers: webHeaders(headers, secrets) });
    } catch (error) {
      if (error instanceof APIError && error.statusCode >= statusFailed) await control.check();
      throw error;
    }
  }

  async function person(headers: IncomingHttpHeaders): Promise<(Person & { activeId: string | null }) | null> {
    if (headers.cookie === undefined) return null;
    const current = await sessionOf(headers);
    if (!current) return null;
    const { user, session } = current;
    return {
      ...{ userId: user.id, name: user.name, email: user.email, sessionId: session.id },
      activeId: session.activeOrganizationId ?? null,
    };
  }

  async function member(headers: IncomingHttpHeaders): Promise<Member | null> {
    const found = await person(headers);
    if (!found) return null;
    const { activeId, ...who } = found;
    const joined = await organizations.ofUser(who.userId);
    // Membership is read each time, so that a removal or a change of role takes effect in open sessions.
    const active = joined.find(({ id }) => id === activeId) ?? joined[0];
    if (!active) return null;
    return { ...who, organizationId: active.id, organizationName: active.name, role: active.role };
  }

  /** Answers before looking anything up, so that neither the answer nor its timing reveals whether the account exists. */
  async function requestReset(request: Request): Promise<Response> {
    await control.check();
    const reset = answered(auth.handler(request));
    reset.catch((error: unknown) => options.logger.error({ err: error }, "could not send a password reset link"));
    return Response.json({ status: true });
  }

  return {
    person,
    member,
    async signIn(credentials) {
      try {
        const response = await answered(auth.api.signInEmail({ body: credentials, asResponse: true }));
        return response.ok ? response.headers.getSetCookie() : null;
      } catch (error) {
        // The library turns what its routes throw into a response, but not what a hook before them throws.
        const seconds = delaySecondsOf(error);
        throw seconds === null ? error : new SignInDelayed(seconds);
      }
    },
    async hashPassword(password) {
      const { password: hasher } = await auth.$context;
      return hasher.hash(password);
    },
    handle: (request) => {
      const isReset = new URL(request.url).pathname === resetPath && request.method === "POST";
      return isReset ? requestReset(request) : answered(auth.handler(resigned(request, secrets)));
    },
  };
}

function createAuth(options: IdentityOptions, secrets: Secrets) {
  const { control, clock, appUrl, openSignUp, providers = {}, mailer, logger } = options;
  const guesses = passwordGuesses(control, { clock, isSecure: new URL(appUrl).protocol === "https:" });
  return betterAuth({
    appName: "Whence",
    baseURL: appUrl,
    basePath: "/api/auth",
    secret: secrets.current,
    database: control.identity,
    emailAndPassword: {
      enabled: true,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }) => {
        await forgetResetTokens(control, user.id);
        await forgetGuesses(control, user.email);
      },
      sendResetPassword: ({ user, token }) => mailer.send(passwordResetMail(appUrl, user.email, token)),
    },
    // Only the mail has the token, so reading the database or a backup doesn't reveal it.
    verification: { storeIdentifier: "hashed" },
    socialProviders: Object.fromEntries(
      Object.entries(providers).map(([name, application]) => [name, { ...application, disableSignUp: !openSignUp }]),
    ),
    hooks: {
      before: createAuthMiddleware(async (context) => {
        await guesses.before(context);
        await refuseUninvited(context, openSignUp);
        if (!returnsInvitations.has(context.path)) return;
        await refuseStrangers(context, await getSessionFromCtx(context), control.organizations);
      }),
      after: createAuthMiddleware((context) => guesses.after(context)),
    },
    plugins: [
      organization({
        disableOrganizationDeletion: true,
        allowUserToCreateOrganization: async ({ id }) => openSignUp || isOwner(await control.organizations.ofUser(id)),
        organizationHooks: { beforeUpdateOrganization },
        sendInvitationEmail: ({ id, email, organization: { name } }) =>
          mailer.send(invitationMail(appUrl, email, name, id)),
      }),
    ],
    // Our routes limit attempts before they reach the library.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...rest) => logger.error({ err: errorIn(rest) }, message) },
    // The library would log to the console. Its failures are thrown instead, and answered like our own.
    onAPIError: { onError: (error) => rethrowFailure(error, logger) },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            const [first] = await control.organizations.ofUser(session.userId);
            return { data: { ...session, activeOrganizationId: first?.id ?? null } };
          },
        },
      },
    },
  });
}

/** Invalidates the links from other mails too: the link that was used may have recovered a stolen account. */
async function forgetResetTokens({ identity }: Pick<AccountStore, "identity">, userId: string): Promise<void> {
  const db = identity.db.withTables<{ verification: { value: string } }>();
  await db.deleteFrom("verification").where("value", "=", userId).execute();
}

/** People who may already invite strangers. Anyone else would invite them into an organization of their own. */
function isOwner(own: readonly { readonly role: string }[]): boolean {
  return own.some(({ role }) => role === "owner");
}

interface SignUpContext {
  readonly path?: string | undefined;
  readonly body?: { readonly email?: unknown } | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly context: {
    readonly adapter: {
      findOne<Row>(query: { model: string; where: { field: string; value: string }[] }): Promise<Row | null>;
    };
  };
}

/** Where sign-up is closed, an invitation to the address lets someone in: its id is only in the mail. */
async function refuseUninvited({ path, body, query, context }: SignUpContext, openSignUp: boolean): Promise<void> {
  if (openSignUp || path !== "/sign-up/email") return;
  const id = query?.invitation;
  const invitation =
    typeof id === "string"
      ? await context.adapter.findOne<{ email: string; status: string; expiresAt: Date }>({
          model: "invitation",
          where: [{ field: "id", value: id }],
        })
      : null;
  const isFor = invitation?.email.toLowerCase() === String(body?.email).toLowerCase();
  if (isFor && invitation?.status === "pending" && invitation.expiresAt > new Date()) return;
  throw new APIError("FORBIDDEN", { message: "sign-up is by invitation only: ask an owner for one" });
}

/**
 * Routes that return ids of invitations. The holder of an id is let in as the invited person, and addresses aren't
 * verified, so only people who may invite may see ids.
 */
const returnsInvitations: ReadonlySet<string> = new Set([
  "/organization/list-invitations",
  "/organization/list-user-invitations",
  "/organization/get-full-organization",
]);

/** Lists invitations only to owners of the requested organization; the other two routes are closed. */
async function refuseStrangers(
  { path, query }: Pick<SignUpContext, "path" | "query">,
  current: { user: { id: string }; session: Readonly<Record<string, unknown>> } | null,
  organizations: Pick<OrganizationStore["organizations"], "ofUser">,
): Promise<void> {
  if (path !== "/organization/list-invitations") {
    throw new APIError("NOT_FOUND", {
      message: "this route is closed: an owner can list the organization's invitations",
    });
  }
  const asked = query?.organizationId ?? current?.session.activeOrganizationId;
  const own = current ? await organizations.ofUser(current.user.id) : [];
  if (own.some(({ id, role }) => id === asked && role === "owner")) return;
  throw new APIError("FORBIDDEN", { message: "only an owner of the organization may list its invitations" });
}

/** The service finds its own organization by its slug, and keys belong to organizations, so neither may be removed. */
async function beforeUpdateOrganization({ organization: change }: { organization: object }): Promise<void> {
  if ("slug" in change) throw new APIError("FORBIDDEN", { message: "the slug of an organization can't be changed" });
}

function rethrowFailure(error: unknown, logger: Pick<Logger, "error">): void {
  if (!(error instanceof APIError)) throw error;
  if (error.statusCode >= statusFailed) logger.error({ err: error }, "the identity library failed on a request");
}

function errorIn(values: readonly unknown[]): Error | undefined {
  return values.find((value) => value instanceof Error);
}

function sessionSecrets(secretKeys: readonly Buffer[]): Secrets {
  const [current, ...former] = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "whence session", 32)).toString("base64url"),
  );
  if (current === undefined) throw new TypeError("sessions are signed with a secret key, and none is configured");
  return { current, former };
}

function webHeaders(headers: IncomingHttpHeaders, { current, former }: Secrets): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name, item]),
  );
  const web = new Headers(pairs);
  if (headers.cookie !== undefined) web.set("cookie", resignCookies(headers.cookie, current, former));
  return web;
}

function resigned(request: Request, { current, former }: Secrets): Request {
  const cookie = request.headers.get("cookie");
  if (cookie !== null) request.headers.set("cookie", resignCookies(cookie, current, former));
  return request;
}
