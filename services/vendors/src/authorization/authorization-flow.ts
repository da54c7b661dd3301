import type { OAuthApplication } from "../applications.ts";
import type { OutboundContext } from "../outbound-context.ts";

type Inputs = Readonly<Record<string, string>>;

/** The response of a vendor's token endpoint. */
export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** RFC 3339; null when the access token doesn't expire. */
  readonly expiresAt: string | null;
}

/** The vendor's response to an authorization. */
export interface Grant {
  readonly tokens: OAuthTokens;
  /** The parameters of the callback. */
  readonly parameters: URLSearchParams;
  /** The requested account, one of those that the person may read; null when none was named. */
  readonly account: string | null;
}

/** Where the person has to continue at the vendor, for example to install the application. */
export interface ContinueAt {
  readonly continueAt: string;
}

/** How a kind is connected by authorization, one entry per vendor. URLs are as documented. */
export interface AuthorizationFlow {
  readonly vendor: string;
  readonly application: OAuthApplication;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Where tokens are revoked according to RFC 7009; null when the vendor has no such URL. */
  readonly revokeUrl: string | null;
  /** Null when the application's registration determines it. */
  readonly scope: string | null;
  readonly hasPkce: boolean;
  /** The input of the kind's vendor that holds the access token; null when tokens aren't stored. */
  readonly tokenInput: string | null;
  /**
   * Returns the other inputs of the connection, or where the person has to continue. Rejects with a `VendorFailure`.
   */
  inputs?(grant: Grant, context: OutboundContext, signal: AbortSignal): Promise<Inputs | ContinueAt>;
  /** Ends the grant where `revokeUrl` doesn't, for example by removing the installation. */
  end?(connection: Inputs, context: OutboundContext, signal: AbortSignal): Promise<void>;
}
