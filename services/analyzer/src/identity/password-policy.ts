import type { AccountStore, OrganizationStore } from "@whence/storage";
import { openIdProvider, type Providers } from "./identity-options.ts";

interface PolicyOptions {
  readonly control: AccountStore & OrganizationStore;
  readonly providers?: Providers | undefined;
}

/** Routes that end a sign-in with a password. */
const passwordPaths: ReadonlySet<string> = new Set([
  "/sign-in/email",
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
]);

/** Decides who can't sign in with a password. */
export interface PasswordPolicy {
  /** Whether an owner has signed in with the operator's OpenID provider, as it is configured now. */
  canDoWithout(organizationId: string): Promise<boolean>;
  /**
   * Returns the name of the organization that keeps a person from signing in on a route; null when none does. One whose
   * owners can't sign in with the provider any longer keeps no one, so that it can't be locked out.
   */
  refusing(userId: string, path: string | undefined): Promise<string | null>;
  /**
   * Returns the name of an organization that a person can't join, because its members sign in without passwords and this
   * person has no account at the operator's OpenID provider; null when they can. `userId` is null before the sign-up.
   */
  refusingNewcomer(organizationId: string, userId: string | null): Promise<string | null>;
}

/** {@link PasswordPolicy} by the settings of organizations. */
export function passwordPolicy({ control, providers = {} }: PolicyOptions): PasswordPolicy {
  const { organizations, identity } = control;
  const issuer = providers.oidc && withoutSlash(providers.oidc.issuer);
  const db = identity.db.withTables<{
    account: { userId: string; providerId: string; accountId: string };
    member: { userId: string; organizationId: string; role: string };
    organization: { id: string; name: string };
  }>();
  const isAtProvider = ({ accountId }: { readonly accountId: string }): boolean =>
    withoutSlash(accountId.split(" ", 1)[0] ?? "") === issuer;
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
    return owners.some(isAtProvider);
  };
  const doesWithout = async (organizationId: string): Promise<boolean> =>
    (await organizations.settings(organizationId)).passwordsOff && (await canDoWithout(organizationId));
  const isKnownToProvider = async (userId: string): Promise<boolean> => {
    const own = db.selectFrom("account").select("accountId").where("userId", "=", userId);
    return (await own.where("providerId", "=", openIdProvider).execute()).some(isAtProvider);
  };
  return {
    canDoWithout,
    async refusing(userId, path = "") {
      if (issuer === undefined || !passwordPaths.has(path)) return null;
      for (const { id, name } of await organizations.ofUser(userId)) {
        if (await doesWithout(id)) return name;
      }
      return null;
    },
    async refusingNewcomer(organizationId, userId) {
      if (!(await doesWithout(organizationId))) return null;
      if (userId !== null && (await isKnownToProvider(userId))) return null;
      const named = db.selectFrom("organization").select("name").where("id", "=", organizationId);
      return (await named.executeTakeFirst())?.name ?? null;
    },
  };
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}
