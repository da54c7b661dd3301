import type { OAuthApplication } from "../applications.ts";
import type { OutboundContext } from "../outbound-context.ts";
import type { OAuthTokens } from "./oauth-client.ts";

type Inputs = Readonly<Record<string, string>>;

/** What came back from the vendor. */
export interface Grant {
  readonly tokens: OAuthTokens;
  /** The parameters of the callback. */
  readonly parameters: URLSearchParams;
  /** The account that was asked for, of those that the person may read; null when none was named. */
  readonly account: string | null;
}

/** The person has to continue at the vendor, such as to install the application. */
export interface ContinueAt {
  readonly continueAt: string;
}

/** How a kind is connected by authorization: one entry a vendor. Addresses are as documented. */
export interface AuthorizationFlow {
  readonly vendor: string;
  readonly application: OAuthApplication;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Where tokens are revoked as RFC 7009 has it; null where the vendor has no such address. */
  readonly revokeUrl: string | null;
  /** Null where the application's registration decides. */
  readonly scope: string | null;
  readonly hasPkce: boolean;
  /** The name under which the kind's vendor takes the access token; null when tokens aren't kept. */
  readonly tokenInput: string | null;
  /** What else belongs to the connection, or where the person has to go on. Rejects with a `VendorFailure`. */
  inputs?(grant: Grant, context: OutboundContext, signal: AbortSignal): Promise<Inputs | ContinueAt>;
  /** Ends the grant where `revokeUrl` doesn't, such as by removing the installation. */
  end?(connection: Inputs, context: OutboundContext, signal: AbortSignal): Promise<void>;
}
