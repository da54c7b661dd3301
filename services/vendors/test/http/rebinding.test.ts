import type { IntegrationKindName } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { exchangeCode } from "../../src/authorization/oauth-client.ts";
import { authorizationFlow } from "../../src/authorization-flows.ts";
import { gitLabRepositories } from "../../src/gitlab/code-host.ts";
import { openVendorHttp } from "../../src/http/vendor-http.ts";
import { integrationRegistry } from "../../src/integration-registry.ts";
import { question } from "../integrations/question.ts";
import { type ChangingName, startChangingName } from "./changing-name.ts";
import { startVendorServer } from "./vendor-server.ts";

let changing: ChangingName;
const { signal } = new AbortController();

beforeEach(async () => {
  changing = await startChangingName();
});
afterEach(() => changing.close());

const address = (protocol = "http"): string => `${protocol}://${changing.name}:${changing.port}`;
const gitlab = () => ({ clientId: "id", clientSecret: "secret", url: address() });

function kubeconfig(server: string): string {
  return JSON.stringify({
    clusters: [{ name: "prod", cluster: { server } }],
    users: [{ name: "ops", user: { token: "secret-token" } }],
    contexts: [{ name: "prod", context: { cluster: "prod", user: "ops" } }],
  });
}

/** The kinds that take an address from a person, each with its inputs for one. */
const enteredAddresses: readonly [IntegrationKindName, (url: string) => Record<string, string>][] = [
  ["search", (url: string) => ({ url, api_key: "aWQ6c2VjcmV0" })],
  ["dashboards", (url: string) => ({ instance_url: url, service_account_token: "secret" })],
  ["log-queries", (url: string) => ({ instance_url: url, api_key: "secret" })],
  ["observability", (url: string) => ({ instance_url: url, api_key: "secret" })],
  ["kubernetes", (url: string) => ({ kubeconfig: kubeconfig(url.replace("http:", "https:")) })],
];

function connect([kind, inputs]: (typeof enteredAddresses)[number], url: string) {
  const entered = inputs(url);
  const integration = integrationRegistry.find(kind, entered);
  if (!integration) throw new Error(`no vendor takes the inputs of ${kind}`);
  return integration.connect(entered, changing.context);
}

/** The first connection was allowed, and none went where the name leads since. */
function expectOnlyTheFirst(): void {
  expect(changing.connections).toEqual({ allowed: 1, refused: 0 });
  expect(changing.lookups()).toBeGreaterThan(1);
}

describe("a name that resolves to a private address after it was checked", () => {
  it("is refused to the vendors' client at its second attempt", async () => {
    const options = { ...changing.context, vendor: "Acme", baseUrl: new URL(address()), headers: {} };
    const http = openVendorHttp(options);
    await expect(http.json({ path: "/", schema: z.object({}) }, signal)).rejects.toMatchObject({
      ...{ reason: "refused-address", message: expect.stringContaining("rebinding.example has no public address") },
    });
    await http.close();
    expectOnlyTheFirst();
  });

  it.each(enteredAddresses)("is refused to the vendor of the kind %s when it is verified", async (...entered) => {
    const connection = connect(entered, address());
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "refused-address" });
    await connection.close();
    expectOnlyTheFirst();
  });

  it.each(enteredAddresses)("is refused to the vendor of the kind %s when it is queried", async (...entered) => {
    const connection = connect(entered, address());
    await connection.ask(question, signal).catch(() => undefined);
    await connection.close();
    expect(changing.connections.allowed).toBeLessThanOrEqual(1);
    expect(changing.connections.refused).toBe(0);
  });

  it("is refused to GitLab's client, and to its authorization", async () => {
    const context = { ...changing.context, applications: { gitlab: gitlab() } };
    const host = gitLabRepositories.open({ access_token: "secret" }, context);
    await expect(host.account(signal)).rejects.toMatchObject({ reason: "refused-address" });
    await host.close();
    const flow = authorizationFlow("gitlab", context.applications);
    if (!flow) throw new Error("GitLab has an application here");
    const secrets = { state: "s", verifier: "v".repeat(43), redirectUri: "https://whence.example/callback" };
    const exchanging = exchangeCode(flow, new URLSearchParams({ code: "c", state: "s" }), secrets, context);
    await expect(exchanging).rejects.toMatchObject({ reason: "refused-address" });
    expectOnlyTheFirst();
  });
});

describe("a private address that a person enters", () => {
  const hosts = [
    ...["127.0.0.1", "localhost", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"],
    // The same addresses in decimal, hexadecimal, octal, and short.
    ...["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "0x7f.1", "2852039166"],
    ...[
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:a9fe:a9fe]",
      "[64:ff9b::7f00:1]",
      "[fe80::1]",
      "[fd00:ec2::254]",
    ],
  ];

  it.each(enteredAddresses)("is refused to the vendor of the kind %s in every form", async (...entered) => {
    for (const host of hosts) {
      const connection = connect(entered, `http://${host}:${changing.port}`);
      await expect(connection.verify(signal), host).rejects.toMatchObject({ reason: "refused-address" });
      await connection.close();
    }
    expect(changing.connections).toEqual({ allowed: 0, refused: 0 });
  });
});

describe("a redirect to a private address", () => {
  it.each([
    ...["http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://2130706433/"],
    ...["http://[::1]/", "http://[::ffff:127.0.0.1]/", "//10.0.0.1/", "http://0177.0.0.1/"],
  ])("isn't followed: %s", async (location) => {
    const vendor = await startVendorServer();
    const asked = vendor.url.replace("127.0.0.1", "localhost");
    vendor.answer(() => ({ status: 302, headers: { location } }));
    const http = openVendorHttp({ ...vendor.context, vendor: "Acme", baseUrl: new URL(asked), headers: {} });
    await expect(http.json({ path: "/", schema: z.object({}) }, signal)).rejects.toMatchObject({
      ...{ reason: "unexpected-answer", message: expect.stringContaining("a redirect to") },
    });
    expect(vendor.requests).toHaveLength(1);
    await http.close();
    await vendor.close();
  });
});
