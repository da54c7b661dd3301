import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import type { GitHubApp } from "../applications.ts";
import { vendorAddress } from "../http/addresses.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { AddressRefused } from "../http/guarded-lookup.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorAnswer, type VendorHttpOptions, type VendorRequest } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { gitHubHeaders, gitHubRates } from "./requests.ts";

/** GitHub's API as an installation of the app. Its tokens live for an hour. */
export interface GitHubApi {
  json<Body>(asked: VendorRequest<Body>, signal: AbortSignal): Promise<VendorAnswer<Body>>;
  close(): Promise<void>;
}

/** What a token may do, and how a refusal of that is explained. */
export interface GitHubAccess extends Pick<VendorHttpOptions, "refusals" | "answeredStatuses"> {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  /** The names of the only repositories that it is for, without their owner; all of the installation by default. */
  readonly repositoryNames?: string[];
  /** Why no token with these permissions can be had. */
  readonly lacking: string;
}

const readOnly: GitHubAccess = {
  permissions: { contents: "read", deployments: "read", metadata: "read" },
  lacking: "the installation lacks a permission: it needs to read contents, metadata, and deployments",
};

/** Opens GitHub's API for an installation. https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-as-a-github-app-installation */
export function openGitHubApi(
  app: GitHubApp,
  installationId: number,
  context: OutboundContext,
  { permissions, repositoryNames, lacking, ...explained }: GitHubAccess = readOnly,
): GitHubApi {
  const baseUrl = vendorAddress("https://api.github.com", context);
  const { requestTimeoutMs: timeoutMs, grantBytesMax: bytesMax } = vendorLimits;
  const guarded = openGuardedFetch({ mayReach: context.mayReach, timeoutMs, bytesMax });
  const authenticate = createAppAuth({
    appId: app.clientId,
    privateKey: app.privateKey,
    installationId,
    request: request.defaults({ baseUrl: baseUrl.href.replace(/\/+$/, ""), request: { fetch: guarded.fetch } }),
    // The default would write GitHub's responses to the console.
    log: { warn: () => undefined },
  });
  const http = openVendorHttp({
    ...context,
    vendor: "GitHub",
    baseUrl,
    headers: gitHubHeaders,
    ...gitHubRates,
    ...explained,
  });
  let token: Promise<string> | undefined;
  const mint = async (): Promise<string> => {
    try {
      const named = repositoryNames === undefined ? {} : { repositoryNames };
      return (await authenticate({ type: "installation", permissions, ...named })).token;
    } catch (error) {
      throw mintingFailure(error, lacking);
    }
  };
  return {
    async json(asked, signal) {
      token ??= mint();
      const authorization = `Bearer ${await token}`;
      return http.json({ ...asked, headers: { ...asked.headers, authorization } }, signal);
    },
    async close() {
      await Promise.all([http.close(), guarded.close()]);
    },
  };
}

const statuses = { unauthorized: 401, forbidden: 403, absent: 404, unprocessable: 422 };

function mintingFailure(error: unknown, lacking: string): VendorFailure {
  const cause = error instanceof Error && error.cause instanceof AddressRefused ? error.cause : error;
  if (cause instanceof AddressRefused) return new VendorFailure("refused-address", cause.message);
  const status = error instanceof Error && "status" in error ? error.status : null;
  if (status === statuses.unauthorized) {
    return new VendorFailure("unauthorized", "GitHub rejected the app's key: the operator has to configure it again");
  }
  if (status === statuses.absent || status === statuses.forbidden) {
    return new VendorFailure("unauthorized", "the app was uninstalled or suspended at GitHub: connect it again");
  }
  if (status === statuses.unprocessable) {
    return new VendorFailure("forbidden", lacking);
  }
  return new VendorFailure("unavailable", "GitHub can't be reached");
}
