import { APIError } from "better-auth/api";
import { analyzerErrors } from "../errors.ts";
import type { Providers } from "./identity-options.ts";
import type { PasswordPolicy } from "./password-policy.ts";

/** The refusals of a {@link PasswordPolicy}, as the identity library's routes answer them. */
export interface PasswordRefusals {
  /** Refuses to start a session on a route that ends a sign-in with a password. */
  refuseSignIn(userId: string, path: string | undefined): Promise<void>;
  /** Refuses to sign up for an organization, with `userId` null, or to join it. */
  refuseNewcomer(organizationId: string | null, userId: string | null): Promise<void>;
}

/** Refuses what the policy doesn't allow; `providers` has the name of what to sign in with instead. */
export function refusePasswords(policy: PasswordPolicy, { oidc }: Providers): PasswordRefusals {
  /** Told only to who entered the right password or was invited, so that no one else learns how members sign in. */
  const refuse = (organization: string | null): void => {
    if (organization === null) return;
    const { code, message } = analyzerErrors.create("WHENCE_ERR_PASSWORD_SIGN_IN_OFF", [
      organization,
      oidc?.name ?? "",
    ]);
    throw new APIError("FORBIDDEN", { code, message, detail: message });
  };
  return {
    refuseSignIn: async (userId, path) => refuse(await policy.refusing(userId, path)),
    async refuseNewcomer(organizationId, userId) {
      if (organizationId !== null) refuse(await policy.refusingNewcomer(organizationId, userId));
    },
  };
}
