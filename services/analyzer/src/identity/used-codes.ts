import { createHash } from "node:crypto";
import type { AccountStore } from "@whence/storage";
import { APIError, type getSessionFromCtx, isAPIError } from "better-auth/api";
import { analyzerErrors } from "../errors.ts";

const path = "/two-factor/verify-totp";
/** The library's name of the cookie that a sign-in has between the password and the code. */
const pendingCookie = "two_factor";
/** A code is valid in its own 30 seconds, those before, and those after. */
const validMs = 90_000;
const usedCode = "WHENCE_ERR_CODE_USED";

type SessionContext = Parameters<typeof getSessionFromCtx>[0];

/** The part of the identity library's hook context that is used here. */
interface CodeContext {
  readonly path?: string | undefined;
  readonly body?: { readonly code?: unknown } | undefined;
  readonly context: {
    readonly secret: string;
    readonly returned?: unknown;
    readonly internalAdapter: { findVerificationValue(id: string): Promise<{ readonly value: string } | null> };
    createAuthCookie(name: string): { readonly name: string };
  };
  getSignedCookie(name: string, secret: string): Promise<string | false | null | undefined>;
}

export interface UsedCodes {
  /** Takes the code of an authenticator app, and rejects it with 401 when it was accepted before. */
  before(context: CodeContext & SessionContext): Promise<void>;
  /** Releases a code that wasn't accepted, so that its sign-in can continue. */
  after(context: CodeContext & SessionContext): Promise<void>;
}

/**
 * Lets each code of an authenticator app be used once, as https://www.rfc-editor.org/rfc/rfc6238#section-5.2 demands: the
 * library accepts it again until it expires, from anyone who saw it.
 */
export function usedCodes(
  { passwordAttempts }: Pick<AccountStore, "passwordAttempts">,
  { clock, sessionOf }: { clock: () => number; sessionOf: typeof getSessionFromCtx },
): UsedCodes {
  /** The person and the code; null when the request enters none. */
  const aimOf = async (context: CodeContext & SessionContext): Promise<string | null> => {
    if (context.path !== path || typeof context.body?.code !== "string") return null;
    const userId = (await sessionOf(context))?.user.id ?? (await pendingUser(context));
    return userId === null ? null : hashOf(userId, context.body.code);
  };
  return {
    async before(context) {
      const aim = await aimOf(context);
      if (aim === null) return;
      const attempt = { aim, now: new Date(clock()), forgetAfterMs: validMs, delayMs: () => validMs };
      if ((await passwordAttempts.take(attempt)) === null) return;
      const { code, message } = analyzerErrors.create(usedCode);
      throw new APIError("UNAUTHORIZED", { code, message, detail: message });
    },
    async after(context) {
      const { returned } = context.context;
      if (!isAPIError(returned) || returned.body?.code === usedCode) return;
      const aim = await aimOf(context);
      if (aim !== null) await passwordAttempts.forget(aim);
    },
  };
}

/** Whose password was right, while the code is awaited. */
async function pendingUser({ context, getSignedCookie }: CodeContext): Promise<string | null> {
  const pending = await getSignedCookie(context.createAuthCookie(pendingCookie).name, context.secret);
  if (typeof pending !== "string") return null;
  return (await context.internalAdapter.findVerificationValue(pending))?.value ?? null;
}

function hashOf(userId: string, code: string): string {
  return createHash("sha256")
    .update(JSON.stringify(["code", userId, code]))
    .digest("hex");
}
