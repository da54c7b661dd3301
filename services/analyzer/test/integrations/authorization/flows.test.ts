import { generateKeyPairSync } from "node:crypto";
import type { IntegrationKindName } from "@whence/protocol";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const registered = { clientId: "the-client-id", clientSecret: "the-client-secret" };
const applications = {
  github: { ...registered, slug: "whence-acme", privateKey },
  ...{ linear: registered, sentry: registered, vercel: { ...registered, slug: "whence-acme" } },
};

let vendor: VendorServer;
let service: TestService;
let acme: TestOrganization;
/** Where documented addresses lead that have one path on several hosts. */
let installations: readonly object[];

const answers: Readonly<Record<string, () => VendorAnswerOf>> = {
  "POST /login/oauth/access_token": () => ({ body: { access_token: "gh-user", scope: "", token_type: "bearer" } }),
  "GET /user/installations": () => ({ body: { total_count: installations.length, installations } }),
  "DELETE /applications/the-client-id/token": () => ({ status: 204 }),
  "POST /app/installations/7/access_tokens": () => ({
    status: 201,
    body: { token: "gh-installation", expires_at: "2099-01-01T00:00:00Z", permissions: { contents: "read" } },
  }),
  "GET /installation/repositories": () => ({ body: { total_count: 1, repositories: [{ full_name: "acme/shop" }] } }),
  "POST /oauth/token": () => ({
    body: { access_token: "lin-1", token_type: "Bearer", expires_in: 86_399, refresh_token: "lin-2", scope: "read" },
  }),
  "POST /oauth/revoke": () => ({ body: {} }),
  "POST /oauth/token/": () => ({
    body: { access_token: "sen-1", token_type: "bearer", expires_in: 2_591_999, refresh_token: "sen-2", scope: "" },
  }),
  "GET /api/0/organizations/": () => ({ body: [{ slug: "acme-inc" }] }),
  "POST /v2/oauth/access_token": () => ({
    body: { token_type: "Bearer", access_token: "ver-1", installation_id: "icfg_1", user_id: "u", team_id: "team_1" },
  }),
  // What is connected is asked whether it works.
  "POST /graphql": () => ({ body: { data: { organization: { name: "Acme" } } } }),
  "GET /api/0/organizations/acme-inc/": () => ({ body: { name: "Acme" } }),
  "GET /v2/user": () => ({ body: { user: { username: "ada" } } }),
  "DELETE /v1/integrations/configuration/icfg_1": () => ({ status: 204 }),
};

beforeAll(async () => {
  vendor = await startVendorServer();
  vendor.answer(({ method, url }) => answers[`${method} ${url.pathname}`]?.() ?? { status: 404 });
  service = await startTestService({}, false, {}, false, true, { ...vendor.context, applications });
  acme = await makeOrganization(service, "acme");
});
afterAll(async () => {
  await service.close();
  await vendor.close();
});
beforeEach(() => {
  installations = [{ id: 7, account: { login: "acme" }, suspended_at: null }];
});

const headers = () => ({ cookie: acme.cookie });
const start = async (kind: string, account?: string): Promise<URL> => {
  const url = `/api/integrations/${kind}/authorization`;
  const answer = await service.app.inject({ method: "POST", url, headers: headers(), payload: { account } });
  return new URL(answer.json().authorize_url);
};
const comeBack = (kind: string, authorizeUrl: URL, parameters: Record<string, string> = {}) => {
  const state = authorizeUrl.searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code: "the-code", state, ...parameters });
  const url = `/api/integrations/${kind}/authorization/callback?${query}`;
  return service.app.inject({ url, headers: headers() });
};
const stored = (kind: IntegrationKindName) => service.control.scope(acme.id).integrations.credentials(kind);
const disconnect = (kind: string) =>
  service.app.inject({ method: "DELETE", url: `/api/integrations/${kind}`, headers: headers() });
const asked = (from: number): string[] =>
  vendor.requests.slice(from).map(({ method, url }) => `${method} ${url.pathname}`);

describe("a vendor's application", () => {
  // requirement: integration.code-hosting-oauth
  // requirement: integration.issue-tracker-oauth
  // requirement: integration.error-tracker-app
  // requirement: integration.hosting-app
  it.each([
    [
      "github",
      "/login/oauth/authorize",
      { code_challenge_method: "S256" },
      {},
      { installation_id: "7", account: "acme" },
    ],
    [
      ...(["issue-tracker", "/oauth/authorize", { scope: "read", code_challenge_method: "S256" }, {}] as const),
      { access_token: "lin-1", refresh_token: "lin-2", expires_at: "2026-03-02T11:59:59.000Z" },
    ],
    [
      ...(["error-tracker", "/oauth/authorize/", { scope: "org:read project:read event:read" }, {}] as const),
      {
        ...{ bearer_token: "sen-1", organization_slug: "acme-inc", refresh_token: "sen-2" },
        expires_at: "2026-03-31T11:59:59.000Z",
      },
    ],
    [
      ...(["hosting", "/integrations/whence-acme/new", {}] as const),
      { configurationId: "icfg_1", teamId: "team_1" },
      { api_token: "ver-1", configuration_id: "icfg_1", team_id: "team_1" },
    ],
  ] as const)(
    "for %s is authorized at its documented address, and stored as its vendor takes it",
    async (kind, path, query, back, kept) => {
      const authorizeUrl = await start(kind);
      expect(authorizeUrl.pathname).toBe(path);
      expect(Object.fromEntries(authorizeUrl.searchParams)).toMatchObject({ client_id: "the-client-id", ...query });
      expect((await comeBack(kind, authorizeUrl, back)).statusCode).toBe(303);
      expect(await stored(kind)).toMatchObject(kept);
    },
  );

  it("adds the source of an application that sends webhooks, and removes it on disconnecting", async () => {
    const sources = () => service.control.scope(acme.id).alertSources.list();
    await comeBack("hosting", await start("hosting"), { configurationId: "icfg_1", teamId: "team_1" });
    await comeBack("hosting", await start("hosting"), { configurationId: "icfg_1", teamId: "team_1" });
    expect(await sources()).toMatchObject([
      { kind: "vercel", name: "organization acme", inputs: { installation: "team_1" } },
    ]);
    await disconnect("hosting");
    expect(await sources()).toEqual([]);
  });

  it("is revoked as each vendor documents it, and says when a vendor can't", async () => {
    for (const kind of ["issue-tracker", "error-tracker"]) await comeBack(kind, await start(kind));
    await comeBack("hosting", await start("hosting"), { configurationId: "icfg_1", teamId: "team_1" });
    const from = vendor.requests.length;
    expect((await disconnect("issue-tracker")).json().revoked).toBe(true);
    expect((await disconnect("error-tracker")).json().revoked).toBeNull();
    expect((await disconnect("hosting")).json().revoked).toBe(true);
    expect(asked(from)).toEqual([
      ...["POST /oauth/revoke", "POST /oauth/revoke", "DELETE /v1/integrations/configuration/icfg_1"],
    ]);
  });
});

describe("the GitHub App", () => {
  const kind = "github";

  it("stores no token of the person, and revokes it", async () => {
    const from = vendor.requests.length;
    await comeBack(kind, await start(kind));
    expect(asked(from)).toContain("DELETE /applications/the-client-id/token");
    expect(JSON.stringify(await stored(kind))).not.toContain("gh-user");
  });

  it("sends a person on to install it if needed, and connects when they come back", async () => {
    installations = [];
    const first = await comeBack(kind, await start(kind));
    const install = new URL(String(first.headers.location));
    expect(install.origin + install.pathname).toBe("https://github.com/apps/whence-acme/installations/new");
    installations = [{ id: 7, account: { login: "acme" } }];
    const second = await comeBack(kind, install, { installation_id: "7", setup_action: "install" });
    expect(second.statusCode).toBe(303);
    expect(await stored(kind)).toMatchObject({ installation_id: "7" });
  });

  it("rejects an installation that the person may not use", async () => {
    const answer = await comeBack(kind, await start(kind), { installation_id: "8" });
    expect(answer.json().detail).toBe(
      "GitHub was not connected: GitHub gives you no access to this installation of the app",
    );
  });

  it("asks which account is meant when there are several, and takes the named one", async () => {
    installations = [
      { id: 7, account: { login: "acme" } },
      { id: 9, account: { login: "other" } },
    ];
    const unclear = await comeBack(kind, await start(kind));
    expect(unclear.json().detail).toContain("the app is installed for several accounts: name one of acme, other");
    expect((await comeBack(kind, await start(kind, "Acme"))).statusCode).toBe(303);
    expect(await stored(kind)).toMatchObject({ installation_id: "7", account: "acme" });
  });

  it("reports when an owner has to approve the installation first, and leaves suspended ones out", async () => {
    installations = [{ id: 7, account: { login: "acme" }, suspended_at: "2026-01-01T00:00:00Z" }];
    const answer = await comeBack(kind, await start(kind), { setup_action: "request" });
    expect(answer.json().detail).toContain("has to approve the installation first");
  });
});
