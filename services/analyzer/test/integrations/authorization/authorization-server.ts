import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { OutboundContext } from "@whence/vendors";
import {
  type ReceivedRequest,
  startVendorServer,
  type VendorAnswerOf,
} from "@whence/vendors/testing/http/vendor-server";

/**
 * A double of a GitLab instance as an authorization server (RFC 6749, 7636, 7009): codes are used once and bound to a
 * challenge, refresh tokens rotate, and using one twice revokes what was made from it.
 */
export interface AuthorizationServer {
  readonly url: string;
  readonly outbound: OutboundContext;
  /** What it was asked, oldest first: `POST /oauth/token refresh_token`. */
  readonly asked: readonly string[];
  /** Every token and code it ever made. */
  readonly secrets: readonly string[];
  /** The person allows what the address asks for; returns where they are sent back to. */
  allow(authorizeUrl: string): string;
  deny(authorizeUrl: string): string;
  /** A refresh token as it has made it before. */
  grantRefreshToken(): string;
  /** From now on, tokens live for so many seconds. */
  shortenLives(seconds: number): void;
  /** Revokes every token. */
  forget(): void;
  /** Answers token requests only after this. */
  holdTokens(until: Promise<void>): void;
  close(): Promise<void>;
}

export const clientSecret = "the-client-secret";

export async function startAuthorizationServer(clock: () => number): Promise<AuthorizationServer> {
  const server = await startVendorServer();
  const [asked, secrets]: [string[], string[]] = [[], []];
  const codes = new Map<string, string>();
  const live = new Set<string>();
  let held = Promise.resolve();
  let tokenLifetimeSeconds = 7_200;
  const mint = (): string => {
    const token = `tok-${randomUUID()}`;
    secrets.push(token);
    live.add(token);
    return token;
  };
  const issue = (): VendorAnswerOf => ({
    body: { access_token: mint(), token_type: "Bearer", expires_in: tokenLifetimeSeconds, refresh_token: mint() },
  });
  // As Doorkeeper answers it: the code stands in the header too.
  const refuse = (error: string): VendorAnswerOf => ({
    ...{ status: 400, headers: { "www-authenticate": `Bearer realm="Doorkeeper", error="${error}"` } },
    body: { error, error_description: "The provided authorization grant is invalid." },
  });
  const token = (form: URLSearchParams): VendorAnswerOf => {
    if (form.get("client_secret") !== clientSecret) return { ...refuse("invalid_client"), status: 401 };
    if (form.get("grant_type") === "refresh_token") {
      return live.delete(form.get("refresh_token") ?? "") ? issue() : refuse("invalid_grant");
    }
    const challenge = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return challenge === proof ? issue() : refuse("invalid_grant");
  };
  const answer = ({ method, url, body, headers }: ReceivedRequest): VendorAnswerOf | Promise<VendorAnswerOf> => {
    const form = new URLSearchParams(body);
    asked.push([method, url.pathname, form.get("grant_type")].filter((part) => part !== null).join(" "));
    if (url.pathname === "/oauth/token") return held.then(() => token(form));
    if (url.pathname === "/oauth/revoke") {
      live.delete(form.get("token") ?? "");
      return { body: {} };
    }
    if (!live.has(headers.authorization?.slice("Bearer ".length) ?? "")) return { status: 401 };
    return url.pathname === "/api/v4/user" ? { body: { username: "ada" } } : { body: [] };
  };
  server.answer((request, response) => {
    void Promise.resolve(answer(request)).then((answered) => write(response, answered));
    return undefined;
  });
  const back = (authorizeUrl: string, parameters: Record<string, string>): string => {
    const { searchParams } = new URL(authorizeUrl);
    const url = new URL(searchParams.get("redirect_uri") ?? "");
    url.search = new URLSearchParams({ ...parameters, state: searchParams.get("state") ?? "" }).toString();
    return url.pathname + url.search;
  };
  const gitlab = { clientId: "the-client-id", clientSecret, url: server.url };
  return {
    ...{ url: server.url, asked, secrets },
    outbound: { ...server.context, clock, applications: { gitlab } },
    allow(authorizeUrl) {
      const code = `code-${randomUUID()}`;
      secrets.push(code);
      codes.set(code, new URL(authorizeUrl).searchParams.get("code_challenge") ?? "");
      return back(authorizeUrl, { code });
    },
    deny: (authorizeUrl) => back(authorizeUrl, { error: "access_denied", error_description: "The owner denied it." }),
    grantRefreshToken: mint,
    shortenLives: (seconds) => {
      tokenLifetimeSeconds = seconds;
    },
    forget: () => live.clear(),
    holdTokens: (until) => {
      held = until;
    },
    close: () => server.close(),
  };
}

function write(response: ServerResponse, { status = 200, headers, body }: VendorAnswerOf): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body ?? {}));
}
