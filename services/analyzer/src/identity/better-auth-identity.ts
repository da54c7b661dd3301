import { hkdfSync } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { ControlDb } from "@whence/storage";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { organization } from "better-auth/plugins/organization";
import type { Identity, Member } from "./identity.ts";

export interface IdentityOptions {
  readonly control: Pick<ControlDb, "identity" | "organizations">;
  /** 32 bytes; the session secret is derived from it. */
  readonly secretKey: Buffer;
  readonly appUrl: string;
  /** Whether strangers may sign up by themselves. */
  readonly openSignUp: boolean;
}

/** {@link Identity} by better-auth, on the tables beside ours: users and sessions, organizations and members. */
export function createIdentity(options: IdentityOptions): Identity {
  const { organizations } = options.control;
  const auth = createAuth(options);

  async function member(headers: IncomingHttpHeaders): Promise<Member | null> {
    if (headers.cookie === undefined) return null;
    const current = await auth.api.getSession({ headers: webHeaders(headers) });
    if (!current) return null;
    const joined = await organizations.ofUser(current.user.id);
    // Membership is read each time: a session outlives neither a removal nor a change of role.
    const active = joined.find(({ id }) => id === current.session.activeOrganizationId) ?? joined[0];
    if (!active) return null;
    return {
      userId: current.user.id,
      name: current.user.name,
      email: current.user.email,
      organizationId: active.id,
      organizationName: active.name,
      role: active.role,
    };
  }

  return {
    member,
    async signIn(credentials) {
      try {
        const response = await auth.api.signInEmail({ body: credentials, asResponse: true });
        return response.ok ? response.headers.getSetCookie() : null;
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return null;
        throw error;
      }
    },
    async signOut(headers) {
      const response = await auth.api.signOut({ headers: webHeaders(headers), asResponse: true });
      return response.headers.getSetCookie();
    },
    async createUser({ name, email, password }) {
      const { internalAdapter, password: hasher } = await auth.$context;
      if (await internalAdapter.findUserByEmail(email.toLowerCase())) return null;
      const user = await internalAdapter.createUser(
        { name, email: email.toLowerCase(), emailVerified: true },
        { method: "email-password" },
      );
      const hash = await hasher.hash(password);
      await internalAdapter.linkAccount({
        userId: user.id,
        providerId: "credential",
        accountId: user.id,
        password: hash,
      });
      return { id: user.id };
    },
    handle: (request) => auth.handler(request),
  };
}

function createAuth({ control, secretKey, appUrl, openSignUp }: IdentityOptions) {
  return betterAuth({
    appName: "Whence",
    baseURL: appUrl,
    basePath: "/api/auth",
    secret: sessionSecret(secretKey),
    database: control.identity,
    emailAndPassword: { enabled: true, disableSignUp: !openSignUp },
    plugins: [organization()],
    // Attempts are limited by the routes, before they reach the library.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: "error" },
    // People open the service by whatever name its host has; what counts is that the page came from that host.
    trustedOrigins: (request) => (request ? [new URL(request.url).origin] : []),
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

function sessionSecret(secretKey: Buffer): string {
  return Buffer.from(hkdfSync("sha256", secretKey, "", "whence session", 32)).toString("base64url");
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name, item]),
  );
  return new Headers(pairs);
}
