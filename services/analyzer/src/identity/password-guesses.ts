import { createHash, randomBytes } from "node:crypto";
import { dayMs, secondMs } from "@whence/protocol";
import type { AccountStore } from "@whence/storage";
import { APIError, getSessionFromCtx, isAPIError } from "better-auth/api";
import { analyzerErrors } from "../errors.ts";

/** Attempts without a delay, because people mistype. */
const freeAttempts = 5;
/** The delay of the first attempt that has to wait; each further one doubles it. */
const delayFirstMs = 1_000;
/** The longest delay, which limits all strangers together to 288 guesses a day at one account. */
const delayMaxMs = 300_000;
const forgetAfterMs = dayMs;

const delayedCode = "WHENCE_ERR_SIGN_IN_DELAYED";
const deviceCookie = "whence-known-device";
const deviceCookieAgeSeconds = 365 * 86_400;
const deviceIdBytes = 16;

/** Routes that take the password of an account: the first by its address, the others by a session. */
const signInPath = "/sign-in/email";
const sessionPaths: ReadonlySet<string> = new Set([
  "/change-password",
  "/verify-password",
  "/delete-user",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
  "/two-factor/get-totp-uri",
]);

type SessionContext = Parameters<typeof getSessionFromCtx>[0];

/** The part of the identity library's hook context that is used here. */
interface AttemptContext {
  readonly path?: string | undefined;
  readonly body?: { readonly email?: unknown } | undefined;
  readonly context: { readonly secret: string; readonly returned?: unknown };
  getSignedCookie(name: string, secret: string): Promise<string | false | null | undefined>;
  setSignedCookie(
    name: string,
    value: string,
    secret: string,
    options: { path: string; httpOnly: true; sameSite: "lax"; secure: boolean; maxAge: number },
  ): Promise<unknown>;
}

export interface PasswordGuesses {
  /** Counts an attempt at a password, and rejects it with 429 during the delay that earlier ones caused. */
  before(context: AttemptContext & SessionContext): Promise<void>;
  /** Resets the count once the password was right, and remembers the browser. */
  after(context: AttemptContext & SessionContext): Promise<void>;
}

/**
 * Limits guesses at the password of one account, from any number of addresses. Attempts are counted by what was entered,
 * whether or not the account exists, before the password is checked. A browser that has signed in to the account before is
 * counted separately, so that other people's guesses don't lock its owner out.
 */
export function passwordGuesses(
  { passwordAttempts }: Pick<AccountStore, "passwordAttempts">,
  { clock, isSecure }: { clock: () => number; isSecure: boolean },
): PasswordGuesses {
  return {
    async before(context) {
      const aim = await aimOf(context);
      if (aim === null) return;
      const now = new Date(clock());
      const freeAt = await passwordAttempts.take({ aim: hashOf(aim.account, aim.device), now, forgetAfterMs, delayMs });
      if (freeAt !== null) throw delayed(freeAt.getTime() - now.getTime());
    },
    async after(context) {
      const aim = await aimOf(context);
      if (aim === null || isAPIError(context.context.returned)) return;
      await passwordAttempts.forget(hashOf(aim.account, aim.device));
      if (context.path !== signInPath || aim.device !== null) return;
      const value = `${hashOf(aim.account, null)}:${randomBytes(deviceIdBytes).toString("hex")}`;
      await context.setSignedCookie(deviceCookie, value, context.context.secret, {
        path: "/api/auth",
        httpOnly: true,
        sameSite: "lax",
        secure: isSecure,
        maxAge: deviceCookieAgeSeconds,
      });
    },
  };
}

/** Lets a person who has just set a new password by mail sign in with it at once. */
export function forgetGuesses(
  { passwordAttempts }: Pick<AccountStore, "passwordAttempts">,
  email: string,
): Promise<void> {
  return passwordAttempts.forget(hashOf(email.toLowerCase(), null));
}

interface Aim {
  readonly account: string;
  /** Identifies a browser that has signed in to the account before. */
  readonly device: string | null;
}

/** Returns the account whose password is attempted; null when the request attempts none. */
async function aimOf(context: AttemptContext & SessionContext): Promise<Aim | null> {
  const { path = "", body } = context;
  if (sessionPaths.has(path)) {
    const current = await getSessionFromCtx(context);
    return current ? { account: `session of ${current.user.id}`, device: null } : null;
  }
  if (path !== signInPath || typeof body?.email !== "string") return null;
  const account = body.email.toLowerCase();
  const cookie = await context.getSignedCookie(deviceCookie, context.context.secret);
  const [of, device] = typeof cookie === "string" ? cookie.split(":") : [];
  return { account, device: of === hashOf(account, null) && device !== undefined ? device : null };
}

function delayMs(attempts: number): number {
  if (attempts < freeAttempts) return 0;
  return Math.min(delayFirstMs * 2 ** (attempts - freeAttempts), delayMaxMs);
}

function delayed(ms: number): APIError {
  const seconds = Math.max(1, Math.ceil(ms / secondMs));
  const { code, message } = analyzerErrors.create(delayedCode, [seconds]);
  return new APIError("TOO_MANY_REQUESTS", { code, message, detail: message }, { "retry-after": String(seconds) });
}

/** Returns how long to wait after a refusal of {@link passwordGuesses}; null for any other error. */
export function delaySecondsOf(error: unknown): number | null {
  if (!isAPIError(error) || error.body?.code !== delayedCode) return null;
  return Number(new Headers(error.headers).get("retry-after"));
}

function hashOf(account: string, device: string | null): string {
  return createHash("sha256")
    .update(JSON.stringify([account, device]))
    .digest("hex");
}
