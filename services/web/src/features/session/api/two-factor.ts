import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The identity library returns more than is used here. */
const anything = z.unknown();

const setupSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });
/** What an authenticator app needs, and the codes for a day without it. Shown once. */
export type TwoFactorSetup = z.infer<typeof setupSchema>;

/** Creates the secret of an authenticator app; it isn't asked for before {@link enterCode} has shown that the app has it. */
export function startTwoFactor(password: string): Promise<TwoFactorSetup> {
  return request(setupSchema, "/api/auth/two-factor/enable", { method: "POST", body: { password } });
}

/** Completes the setup in a session, and a sign-in without one. */
export async function enterCode(code: string): Promise<void> {
  await request(anything, "/api/auth/two-factor/verify-totp", { method: "POST", body: { code: withoutSpaces(code) } });
}

/** Completes a sign-in with a backup code, which works once. */
export async function enterBackupCode(code: string): Promise<void> {
  const body = { code: withoutSpaces(code) };
  await request(anything, "/api/auth/two-factor/verify-backup-code", { method: "POST", body });
}

/** Replaces the backup codes; the old ones stop working. */
export async function replaceBackupCodes(password: string): Promise<readonly string[]> {
  const schema = z.object({ backupCodes: z.array(z.string()) });
  const path = "/api/auth/two-factor/generate-backup-codes";
  return (await request(schema, path, { method: "POST", body: { password } })).backupCodes;
}

/** Signs in with the password alone from now on. */
export async function stopTwoFactor(password: string): Promise<void> {
  await request(anything, "/api/auth/two-factor/disable", { method: "POST", body: { password } });
}

/** Apps show a code in two groups. */
function withoutSpaces(code: string): string {
  return code.replace(/\s/g, "");
}
