import { parseJson } from "@whence/protocol";
import { APIError } from "better-auth/api";
import { z } from "zod";

/** How long a link in a verification mail works. */
export const verificationLinkAgeSeconds = 86_400;

const verifyPath = "/verify-email";
const paths: readonly string[] = [verifyPath, "/send-verification-email"];
const tokenSchema = z.object({ email: z.string() });

interface Attempt {
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Lets only the account's own session verify its address or ask for the mail. Programs that scan mail open links: if that
 * were enough, a stranger who signed up with someone's address would get it verified.
 */
export async function refuseOthersAddresses(
  { path = "", query }: Attempt,
  readSession: () => Promise<{ user: { email: string } } | null>,
): Promise<void> {
  if (!paths.includes(path)) return;
  const current = await readSession();
  if (!current) throw new APIError("UNAUTHORIZED", { message: "sign in to the account whose address this is first" });
  if (path === verifyPath && addressIn(String(query?.token)) !== current.user.email) {
    throw new APIError("FORBIDDEN", { message: "this link belongs to another account, or is incomplete" });
  }
}

/** The address that a token names, before the library has verified the token. */
function addressIn(token: string): string | null {
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  return tokenSchema.safeParse(parseJson(payload)).data?.email ?? null;
}
