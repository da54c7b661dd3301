import type { IncomingHttpHeaders } from "node:http";
import { APIError } from "better-auth/api";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { createAuth } from "./create-auth.ts";
import { type Identity, type Member, type Person, SignInDelayed } from "./identity.ts";
import type { IdentityOptions } from "./identity-options.ts";
import { delaySecondsOf } from "./password-guesses.ts";
import { providerRoutes } from "./provider-routes.ts";
import { resignCookies } from "./resign-cookies.ts";
import { type SessionSecrets, sessionSecrets } from "./session-secrets.ts";

const statusFailed = 500;
/** The answer to a right password that a code has to follow. */
const secondFactorSchema = z.object({ twoFactorRedirect: z.literal(true) });
const resetPath = "/api/auth/request-password-reset";

/**
 * {@link Identity} by better-auth, on the tables beside ours: users and sessions, organizations and members. While the
 * database is away, every method rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`.
 */
export function betterAuthIdentity(options: IdentityOptions): Omit<Identity, "options" | "canDoWithoutPasswords"> {
  const { control } = options;
  const { organizations } = control;
  const secrets = sessionSecrets(options.secretKeys);
  const auth = createAuth(options, secrets);
  const atProvider = providerRoutes(options, (plugin) => createAuth(options, secrets, plugin));

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
      userId: user.id,
      name: user.name,
      email: user.email,
      isVerified: user.emailVerified,
      sessionId: session.id,
      hasSecondFactor: user.twoFactorEnabled === true,
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
    async signIn({ email, password }, userAgent) {
      const headers = new Headers(userAgent === undefined ? {} : { "user-agent": userAgent });
      try {
        const response = await answered(auth.api.signInEmail({ body: { email, password }, headers, asResponse: true }));
        const isSignedIn = response.ok && !secondFactorSchema.safeParse(await response.json()).success;
        return isSignedIn ? response.headers.getSetCookie() : null;
      } catch (error) {
        // The library turns what its routes throw into a response, but not what a hook before them throws.
        const seconds = delaySecondsOf(error);
        throw seconds === null ? error : new SignInDelayed(seconds);
      }
    },
    hashPassword: async (password) => (await auth.$context).password.hash(password),
    async handle(request) {
      const isReset = new URL(request.url).pathname === resetPath && request.method === "POST";
      if (isReset) return requestReset(request);
      const signed = resigned(request, secrets);
      return (
        (await atProvider(signed, (reached) => answered(reached.handler(signed)))) ?? answered(auth.handler(signed))
      );
    },
  };
}

function webHeaders(headers: IncomingHttpHeaders, { current, former }: SessionSecrets): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name, item]),
  );
  const web = new Headers(pairs);
  if (headers.cookie !== undefined) web.set("cookie", resignCookies(headers.cookie, current, former));
  return web;
}

function resigned(request: Request, { current, former }: SessionSecrets): Request {
  const cookie = request.headers.get("cookie");
  if (cookie !== null) request.headers.set("cookie", resignCookies(cookie, current, former));
  return request;
}
