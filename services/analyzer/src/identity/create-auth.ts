import type { AccountStore } from "@whence/storage";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { organization } from "better-auth/plugins/organization";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Logger } from "../logger.ts";
import { admitNewcomer, refuseUninvited } from "./admission.ts";
import type { IdentityOptions } from "./identity-options.ts";
import { refuseStrangers } from "./invitation-ids.ts";
import { invitationMail, passwordResetMail, verificationMail } from "./mails.ts";
import { forgetGuesses, passwordGuesses } from "./password-guesses.ts";
import { passwordPolicy } from "./password-policy.ts";
import { refusePasswords } from "./refuse-passwords.ts";
import { resetSecondFactor } from "./second-factor-changes.ts";
import { type SessionSecrets, versioned } from "./session-secrets.ts";
import { usedCodes } from "./used-codes.ts";
import { refuseOthersAddresses, verificationLinkAgeSeconds } from "./verification.ts";

const statusFailed = 500;

/** Codes of an account that may be wrong in a row, over any number of sign-ins, until none is taken for a while. */
const wrongCodes = { maxFailedAttempts: 10, durationSeconds: 900 };

/** Configures the identity library. `provider` adds an OpenID provider. */
export function createAuth(options: IdentityOptions, { current, former }: SessionSecrets, provider?: BetterAuthPlugin) {
  const { control, clock, appUrl, openSignUp, providers = {}, mailer, logger, passwordHashing } = options;
  const guesses = passwordGuesses(control, { clock, isSecure: new URL(appUrl).protocol === "https:" });
  const codes = usedCodes(control, { clock, sessionOf: getSessionFromCtx });
  const refusals = refusePasswords(passwordPolicy({ control, providers }), providers);
  const { github, google } = providers;
  return betterAuth({
    appName: "Whence",
    baseURL: appUrl,
    basePath: "/api/auth",
    // The first one signs and encrypts; all of them decrypt.
    secrets: [current, ...former].map(versioned),
    database: control.identity,
    emailAndPassword: {
      enabled: true,
      ...(passwordHashing && { password: passwordHashing }),
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }) => {
        await forgetResetTokens(control, user.id);
        if (!user.emailVerified) await endClaim(options, user);
        // The link came by mail.
        await control.accounts.verify(user.id);
        await forgetGuesses(control, user.email);
      },
      sendResetPassword: ({ user, token }) => mailer.send(passwordResetMail(appUrl, user.email, token)),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: verificationLinkAgeSeconds,
      sendVerificationEmail: ({ user, token }) => mailer.send(verificationMail(appUrl, user.email, token)),
    },
    // Only the mail has the token, so reading the database or a backup doesn't reveal it.
    verification: { storeIdentifier: "hashed" },
    socialProviders: { ...(github && { github }), ...(google && { google }) },
    user: { validateUserInfo: (newcomer, context) => admitNewcomer(newcomer, context, openSignUp) },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        refuseIdTokens(context);
        await guesses.before(context);
        await codes.before(context);
        await refusals.refuseNewcomer(await refuseUninvited(context, openSignUp), null);
        await refuseOthersAddresses(context, () => getSessionFromCtx(context));
        await refuseStrangers(context, () => getSessionFromCtx(context), control.organizations);
      }),
      after: createAuthMiddleware(async (context) => {
        await guesses.after(context);
        await codes.after(context);
      }),
    },
    plugins: [
      organization({
        disableOrganizationDeletion: true,
        allowUserToCreateOrganization: async ({ id }) => openSignUp || isOwner(await control.organizations.ofUser(id)),
        organizationHooks: {
          beforeUpdateOrganization,
          beforeAcceptInvitation: ({ invitation, user }) => refusals.refuseNewcomer(invitation.organizationId, user.id),
        },
        sendInvitationEmail: ({ id, email, organization: { name } }) =>
          mailer.send(invitationMail(appUrl, email, name, id)),
      }),
      twoFactor({ issuer: new URL(appUrl).host, accountLockout: wrongCodes }),
      ...(provider ? [provider] : []),
    ],
    // Our routes limit attempts before they reach the library.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...rest) => logger.error({ err: errorIn(rest) }, message) },
    // The library would log to the console. Its failures are thrown instead, and answered like our own.
    onAPIError: { onError: (error) => rethrowFailure(error, logger), errorURL: `${appUrl}/login` },
    databaseHooks: {
      account: { create: { before: async (account) => ({ data: { ...account, ...noTokens } }) } },
      session: {
        create: {
          before: async (session, context) => {
            await refusals.refuseSignIn(session.userId, context?.path);
            const [first] = await control.organizations.ofUser(session.userId);
            return { data: { ...session, activeOrganizationId: first?.id ?? null } };
          },
        },
      },
    },
    account: { updateAccountOnSignIn: false },
  });
}

type Claimant = Readonly<Record<"id" | "name" | "email", string>>;

export type Auth = ReturnType<typeof createAuth>;

/** A provider's tokens are used once, to sign in, and would let their finder act for the person there. */
const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/** Someone else's application could replay an ID token, which no state of ours belongs to: only the redirect signs in. */
function refuseIdTokens({ path = "", body }: { path?: string | undefined; body?: unknown }): void {
  const hasToken = typeof body === "object" && body !== null && "idToken" in body;
  if (!hasToken || (path !== "/sign-in/social" && path !== "/link-social")) return;
  throw new APIError("BAD_REQUEST", { message: "an ID token alone doesn't sign in: start at the sign-in page" });
}

/**
 * Invalidates the links from other mails too: the link that was used may have recovered a stolen account. What else names
 * the account goes with them: trusted devices, and sign-ins that wait for a code.
 */
async function forgetResetTokens({ identity }: Pick<AccountStore, "identity">, userId: string): Promise<void> {
  const db = identity.db.withTables<{ verification: { value: string } }>();
  await db.deleteFrom("verification").where("value", "=", userId).execute();
}

/**
 * Someone who signed up with an address that wasn't theirs may have set up a second factor, which would keep its person out.
 * Their sessions end with the reset, and the devices they trusted are forgotten with the links.
 */
async function endClaim({ control, clock }: IdentityOptions, { id, name, email }: Claimant): Promise<void> {
  await resetSecondFactor(control, { email, by: { id, name } }, new Date(clock()));
}

/** People who may already invite strangers. Anyone else would invite them into an organization of their own. */
function isOwner(own: readonly { readonly role: string }[]): boolean {
  return own.some(({ role }) => role === "owner");
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
