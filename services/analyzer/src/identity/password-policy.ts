import type { AccountStore, OrganizationStore } from "@whence/storage";
import { openIdProvider, type Providers } from "./identity-options.ts";

interface PolicyOptions {
  readonly control: AccountStore & OrganizationStore;
  readonly providers?: Providers | undefined;
}

/** Routes that end a sign-in with a password. */
const passwordPaths: ReadonlySet<string> = new Set([
  ...["/sign-in/email", "/two-factor/verify-totp", "/two-factor/verify-backup-code"],
]);

/** Who can't sign in with a password. */
export interface PasswordPolicy {
  /** Whether an owner has signed in with the operator's OpenID provider, as it is configured now. */
  canDoWithout(organizationId: string): Promise<boolean>;
  /**
   * Returns the name of the organization that keeps a person from signing in on a route; null when none does. One whose
   * owners can't sign in with the provider any longer keeps no one, so that it can't be locked out.
   */
  refusing(userId: string, path: string | undefined): Promise<string | null>;
}

/** {@link PasswordPolicy} by the settings of organizations. */
export function passwordPolicy({ control, providers = {} }: PolicyOptions): PasswordPolicy {
  const { organizations, identity } = control;
  const issuer = providers.oidc && withoutSlash(providers.oidc.issuer);
  const db = identity.db.withTables<{
    account: { userId: string; providerId: string; accountId: string };
    member: { userId: string; organizationId: string; role: string };
  }>();
  const canDoWithout = async (organizationId: string): Promise<boolean> => {
    if (issuer === undefined) return false;
    const owners = await db
      .selectFrom("account")
      .innerJoin("member", "member.userId", "account.userId")
      .select("account.accountId")
      .where("member.organizationId", "=", organizationId)
      .where("member.role", "=", "owner")
      .where("account.providerId", "=", openIdProvider)
      .execute();
    return owners.some(({ accountId }) => withoutSlash(accountId.split(" ", 1)[0] ?? "") === issuer);
  };
  return {
    canDoWithout,
    async refusing(userId, path = "") {
      if (issuer === undefined || !passwordPaths.has(path)) return null;
      for (const { id, name } of await organizations.ofUser(userId)) {
        const { passwordsOff } = await organizations.settings(id);
        if (passwordsOff && (await canDoWithout(id))) return name;
      }
      return null;
    },
  };
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}
