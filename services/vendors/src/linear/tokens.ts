import type { OAuthTokens } from "../authorization/authorization-flow.ts";
import { clientTokens } from "../authorization/oauth-client.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";

/** An application that an organization created at Linear. */
export interface LinearApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * https://linear.app/developers/agents: separated by commas. Requesting others would revoke every token of the
 * application.
 */
const scope = "read,write,app:assignable,app:mentionable";
const applicationsMaxDefault = 1_000;

/**
 * The access tokens of applications, in memory. Concurrent callers share one request. An application may have 1,000
 * tokens, so processes needn't share them.
 * https://linear.app/developers/oauth-2-0-authentication#client-credentials-tokens
 */
export class LinearTokens {
  readonly #kept = new Map<string, Promise<OAuthTokens>>();
  readonly #applicationsMax: number;

  /** Keeps the tokens of this many applications, the most recently used. */
  constructor(applicationsMax = applicationsMaxDefault) {
    this.#applicationsMax = applicationsMax;
  }

  /**
   * Returns a valid token. Rejects with a {@link VendorFailure}, `unauthorized` when Linear rejects the application.
   */
  async current(application: LinearApplication, context: OutboundContext): Promise<string> {
    const key = keyOf(application);
    const kept = this.#kept.get(key);
    if (kept === undefined) return (await this.#request(application, context)).accessToken;
    const tokens = await kept;
    if (!isExpiring(tokens, context)) return tokens.accessToken;
    this.#drop(key, kept);
    return this.current(application, context);
  }

  /** Makes the next caller get another token, unless this one was already replaced. */
  async forget(application: LinearApplication, accessToken: string): Promise<void> {
    const key = keyOf(application);
    const kept = this.#kept.get(key);
    const tokens = await kept?.catch(() => null);
    if (kept && tokens?.accessToken === accessToken) this.#drop(key, kept);
  }

  #request(application: LinearApplication, context: OutboundContext): Promise<OAuthTokens> {
    const key = keyOf(application);
    const requested = requestTokens(application, context);
    this.#kept.set(key, requested);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > this.#applicationsMax) this.#kept.delete(oldest);
    requested.catch(() => this.#drop(key, requested));
    return requested;
  }

  #drop(key: string, tokens: Promise<OAuthTokens>): void {
    if (this.#kept.get(key) === tokens) this.#kept.delete(key);
  }
}

async function requestTokens(application: LinearApplication, context: OutboundContext): Promise<OAuthTokens> {
  const endpoint = {
    vendor: "Linear",
    application,
    tokenUrl: "https://api.linear.app/oauth/token",
    revokeUrl: null,
  };
  try {
    return await clientTokens(endpoint, scope, context);
  } catch (error) {
    if (!(error instanceof VendorFailure) || error.reason !== "forbidden") throw error;
    const advice = "check both, and that client credentials are turned on for the application";
    throw new VendorFailure("unauthorized", `Linear rejected the client ID and the client secret: ${advice}`);
  }
}

function keyOf({ clientId, clientSecret }: LinearApplication): string {
  return JSON.stringify([clientId, clientSecret]);
}

function isExpiring({ expiresAt }: OAuthTokens, { clock }: OutboundContext): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - clock() <= vendorLimits.renewedBeforeMs;
}
