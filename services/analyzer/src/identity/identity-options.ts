import type { SignInProvider } from "@whence/protocol";
import type { AccountStore, AuditScope, OrganizationStore, Reachable, Scoped } from "@whence/storage";
import type { Mailer } from "@whence/vendors";
import type { Logger } from "../logger.ts";

export interface IdentityOptions {
  readonly control: AccountStore & OrganizationStore & Reachable & Scoped<AuditScope>;
  readonly clock: () => number;
  /**
   * 32 bytes each; session secrets are derived from them. The first one signs. A session signed by another one stays valid
   * for as long as that key is configured.
   */
  readonly secretKeys: readonly Buffer[];
  readonly appUrl: string;
  /** Whether people may sign up without an invitation. Invited people always may. */
  readonly openSignUp: boolean;
  /** Our OAuth applications at other sites, for signing in with them. */
  readonly providers?: Providers;
  readonly mailer: Mailer;
  /** How passwords are stored; the library's scrypt by default, which takes 60 ms of a core each time. */
  readonly passwordHashing?: PasswordHashing;
  /** Logs why the library failed, because its responses don't say. */
  readonly logger: Pick<Logger, "error">;
}

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(stored: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

export interface ProviderApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The id of the OpenID provider that the operator names, which is part of its redirect address. */
export const openIdProvider = "oidc";

/** An application at an OpenID provider that the operator names. */
export interface OpenIdApplication extends ProviderApplication {
  readonly issuer: string;
  /** What people know the provider by. */
  readonly name: string;
}

export interface Providers extends Readonly<Partial<Record<Exclude<SignInProvider, "oidc">, ProviderApplication>>> {
  readonly oidc?: OpenIdApplication;
}
