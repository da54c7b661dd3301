import { z } from "zod";
import type { GitHubApp } from "../applications.ts";
import type { ContinueAt, Grant } from "../authorization/authorization-flow.ts";
import { vendorAddress } from "../http/addresses.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { readEveryPage } from "../http/read-pages.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";

/** https://docs.github.com/en/rest/apps/installations#list-app-installations-accessible-to-the-user-access-token */
const installationsSchema = z.object({
  installations: z.array(
    z.object({
      id: z.int(),
      account: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullable(),
      suspended_at: z.string().nullish(),
    }),
  ),
});

const perPage = 100;

interface Installation {
  readonly id: number;
  readonly account: string;
}

/**
 * Returns the installation of the app to connect, from those that the person may use, so that no one connects
 * another's. The person's own token is needed only for that list, and is revoked at once.
 */
export async function githubInstallation(
  app: GitHubApp,
  { tokens, parameters, account }: Grant,
  context: OutboundContext,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | ContinueAt> {
  try {
    const usable = await installationsOf(tokens.accessToken, context, signal);
    const installed = parameters.get("installation_id");
    if (installed === null && usable.length === 0) {
      if (parameters.get("setup_action") === "request") throw awaitsApproval();
      return { continueAt: `https://github.com/apps/${encodeURIComponent(app.slug)}/installations/new` };
    }
    const { id, account: name } = chosenOf(usable, installed, account);
    return { installation_id: String(id), account: name };
  } finally {
    await giveBack(app, tokens.accessToken, context, signal);
  }
}

function chosenOf(usable: readonly Installation[], installed: string | null, account: string | null): Installation {
  const matching = usable.filter(
    (one) =>
      (installed === null || String(one.id) === installed) &&
      (account === null || one.account.toLowerCase() === account.toLowerCase()),
  );
  const [only, ...others] = matching;
  if (only === undefined) {
    const what = account === null ? "this installation" : `an installation for ${account}`;
    throw new VendorFailure("forbidden", `GitHub gives you no access to ${what} of the app`);
  }
  if (others.length === 0) return only;
  const names = matching.map((one) => one.account).join(", ");
  throw new VendorFailure("invalid-input", `the app is installed for several accounts: name one of ${names}`);
}

function awaitsApproval(): VendorFailure {
  return new VendorFailure(
    "forbidden",
    "an owner of the GitHub organization has to approve the installation first: connect it again then",
  );
}

async function installationsOf(
  token: string,
  context: OutboundContext,
  signal: AbortSignal,
): Promise<readonly Installation[]> {
  const http = openVendorHttp({
    ...context,
    vendor: "GitHub",
    baseUrl: vendorAddress("https://api.github.com", context),
    headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
  });
  const read = async (next: number | null) => {
    const page = next ?? 1;
    const asked = { path: "/user/installations", query: { per_page: perPage, page }, schema: installationsSchema };
    const { installations } = (await http.json(asked, signal)).body;
    return { items: installations, next: installations.length < perPage ? null : page + 1 };
  };
  try {
    const { items } = await readEveryPage(read);
    return items.flatMap(({ id, account, suspended_at: suspendedAt }) => {
      const name = account?.login ?? account?.slug;
      return name !== undefined && (suspendedAt ?? null) === null ? [{ id, account: name }] : [];
    });
  } finally {
    await http.close();
  }
}

/** https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token */
async function giveBack(app: GitHubApp, token: string, context: OutboundContext, signal: AbortSignal): Promise<void> {
  const { requestTimeoutMs: timeoutMs, grantBytesMax: bytesMax } = vendorLimits;
  const guarded = openGuardedFetch({ mayReach: context.mayReach, timeoutMs, bytesMax });
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
  const headers = { authorization: `Basic ${basic}`, "content-type": "application/json" };
  const url = vendorAddress("https://api.github.com/applications", context);
  url.pathname += `/${encodeURIComponent(app.clientId)}/token`;
  try {
    await guarded.fetch(url.href, {
      method: "DELETE",
      headers,
      signal,
      body: JSON.stringify({ access_token: token }),
    });
  } catch {
    // The token isn't stored, and expires on its own.
  } finally {
    await guarded.close();
  }
}
