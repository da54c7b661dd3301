import { createHash, randomBytes } from "node:crypto";
import type { ControlDb } from "@whence/storage";
import { APIError, getSessionFromCtx, isAPIError } from "better-auth/api";
import { analyzerErrors } from "../errors.ts";

const msPerSecond = 1_000;
/** Attempts without a delay: people mistype. */
const freeAttempts = 5;
/** Of the first attempt that has to wait; each further one doubles it. */
const delayFirstMs = 1_000;
/** So one account is guessed at 288 times a day at most by all strangers together, and no delay is longer than that. */
const delayMaxMs = 300_000;
const forgetAfterMs = 86_400_000;

const deviceCookie = "whence-known-device";
const deviceCookieAgeSeconds = 365 * 86_400;
const deviceIdBytes = 16;

/** What takes the password of an account; the first by its address, the others by a session. */
const signInPath = "/sign-in/email";
const sessionPaths: ReadonlySet<string> = new Set(["/change-password", "/verify-password", "/delete-user"]);

type SessionContext = Parameters<typeof getSessionFromCtx>[0];

/** What hooks of the identity library are given, as far as it is used here. */
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
  /** Counts an attempt at a password, and refuses it with 429 while earlier ones have it wait. */
  before(context: AttemptContext & SessionContext): Promise<void>;
  /** Forgets the attempts once the password was right, and remembers the browser. */
  after(context: AttemptContext & SessionContext): Promise<void>;
}

/**
 * Bounds how often the password of one account is guessed, from however many addresses. Attempts are counted by what was
 * entered, whether or not there is such an account, before the password is looked at. A browser that has signed in to
 * the account before is counted apart, so strangers who guess don't keep its owner out.
 */
export function passwordGuesses(
  { passwordAttempts }: Pick<ControlDb, "passwordAttempts">,
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
        ...{ path: "/api/auth", httpOnly: true, sameSite: "lax", secure: isSecure, maxAge: deviceCookieAgeSeconds },
      });
    },
  };
}

/** Lets a person who has just set a new password by mail sign in with it at once. */
export function forgetGuesses({ passwordAttempts }: Pick<ControlDb, "passwordAttempts">, email: string): Promise<void> {
  return passwordAttempts.forget(hashOf(email.toLowerCase(), null));
}

interface Aim {
  readonly account: string;
  /** Of the browser, when it has signed in to the account before. */
  readonly device: string | null;
}

/** Whose password is tried; null when none is. */
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
  const seconds = Math.max(1, Math.ceil(ms / msPerSecond));
  const { code, message } = analyzerErrors.create("WHENCE_ERR_SIGN_IN_DELAYED", [seconds]);
  return new APIError("TOO_MANY_REQUESTS", { code, message, detail: message }, { "retry-after": String(seconds) });
}

function hashOf(account: string, device: string | null): string {
  return createHash("sha256")
    .update(JSON.stringify([account, device]))
    .digest("hex");
}
