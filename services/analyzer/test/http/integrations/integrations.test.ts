import { type IntegrationKindName, integrationKinds, type OfferedIntegration } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "second@acme.example", "member");
});
afterAll(() => service.close());

const connect = (kind: string, payload: object, cookie = acme.cookie) =>
  service.app.inject({ method: "PUT", url: `/api/integrations/${kind}`, headers: { cookie }, payload });
const disconnect = (kind: string, cookie = acme.cookie) =>
  service.app.inject({ method: "DELETE", url: `/api/integrations/${kind}`, headers: { cookie } });
const list = async (cookie: string): Promise<readonly OfferedIntegration[]> =>
  (await service.app.inject({ url: "/api/integrations", headers: { cookie } })).json().integrations;
const connectionOf = async (kind: string, cookie = acme.cookie) =>
  (await list(cookie)).find((offered) => offered.kind === kind)?.connections[0];

const kubeconfig = `apiVersion: v1
kind: Config
clusters: []
contexts: []
users: []
`;

/** What is entered, by kind: the table of the specification. */
const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "cloud-monitoring": { access_key_id: "id", secret_access_key: "secret-1", region: "eu-central-1" },
  uptime: { api_token: "secret-2" },
  network: { api_key: "secret-3", account_email: "ops@acme.example" },
  "metrics-application-key": { api_key: "secret-4", application_key: "secret-5", region: "us3" },
  "metrics-user-key": { user_api_key: "secret-6", region: "EU" },
  sandbox: { api_key: "secret-7" },
  search: { url: "https://logs.acme.example:5601", api_key: "secret-8" },
  dashboards: { instance_url: "https://dash.acme.example", service_account_token: "secret-9" },
  kubernetes: { kubeconfig },
  logs: { service_key: "secret-10" },
  "incident-management": { api_key: "secret-11" },
  "log-queries": { api_key: "secret-12", instance_url: "https://logs.acme.example" },
  "error-tracker": { bearer_token: "secret-13", organization_slug: "acme" },
  observability: { instance_url: "http://signals.internal:3301", api_key: "secret-14" },
  hosting: { api_token: "secret-15" },
};

describe("an integration", () => {
  // requirement: integration.cloud-monitoring-inputs
  // requirement: integration.uptime-inputs
  // requirement: integration.network-inputs
  // requirement: integration.metrics-variant-1-inputs
  // requirement: integration.metrics-variant-2-inputs
  // requirement: integration.sandbox-inputs
  // requirement: integration.search-cluster-inputs
  // requirement: integration.dashboard-inputs
  // requirement: integration.kubernetes-inputs
  // requirement: integration.central-log-inputs
  // requirement: integration.incident-management-inputs
  // requirement: integration.log-query-inputs
  // requirement: integration.error-tracker-token-inputs
  // requirement: integration.observability-inputs
  // requirement: integration.hosting-token-inputs
  // requirement: auth.integration-by-key-or-upload
  it.each(Object.entries(inputs))(
    "of kind %s is connected by its inputs, all of them and no other",
    async (kind, entered) => {
      const connected = await connect(kind, entered);
      expect(connected.statusCode).toBe(200);
      expect(connected.body).not.toContain("secret-");
      expect(await service.control.scope(acme.id).integrations.credentials(kindName(kind))).toEqual(entered);
      expect((await connect(kind, { ...entered, more: "x" })).statusCode).toBe(422);
      const optional = kind === "error-tracker" ? { instance_url: "https://sentry.acme.example" } : {};
      expect((await connect(kind, { ...entered, ...optional })).statusCode).toBe(200);
      for (const name of Object.keys(entered)) {
        const refused = await connect(kind, { ...entered, [name]: undefined });
        expect(refused.statusCode).toBe(422);
        expect(refused.json().detail[0].loc).toEqual(["body", name]);
      }
    },
  );

  it("is listed to members without its credentials, and changed by owners only", async () => {
    await connect("search", inputs.search ?? {});
    expect(await connectionOf("search", memberCookie)).toMatchObject({
      ...{ vendor: "Vendor of search", belongs_to: "organization acme" },
      inputs: { url: "https://logs.acme.example:5601" },
      credentials: ["api_key"],
    });
    expect(JSON.stringify(await list(memberCookie))).not.toContain("secret-");
    expect((await connect("search", inputs.search ?? {}, memberCookie)).statusCode).toBe(403);
    expect((await disconnect("search", memberCookie)).statusCode).toBe(403);
    expect((await disconnect("search")).statusCode).toBe(200);
    expect((await disconnect("search")).json().code).toBe("WHENCE_ERR_INTEGRATION_NOT_CONNECTED");
  });

  it("is hidden from other organizations", async () => {
    const other = await makeOrganization(service, "other");
    await connect("uptime", inputs.uptime ?? {});
    expect((await list(other.cookie)).flatMap(({ connections }) => connections)).toEqual([]);
    expect((await disconnect("uptime", other.cookie)).statusCode).toBe(404);
    expect((await service.app.inject({ url: "/api/integrations" })).statusCode).toBe(401);
  });

  it("that is connected only by authorization takes no inputs, and an unknown kind doesn't exist", async () => {
    expect((await connect("issue-tracker", {})).json().code).toBe("WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION");
    expect((await connect("constructor", {})).json().code).toBe("WHENCE_ERR_INTEGRATION_UNKNOWN");
  });

  // requirement: integration.metrics-variant-1-regions
  // requirement: integration.metrics-variant-2-regions
  it.each([
    ["metrics-application-key", ["us1", "us3", "us5", "eu", "ap1"], ["us2", "EU", ""]],
    ["metrics-user-key", ["US", "EU"], ["eu", "us1", ""]],
  ])("of kind %s has one of its regions", async (kind, regions, others) => {
    const entered = inputs[kind];
    for (const region of regions) expect((await connect(kind, { ...entered, region })).statusCode).toBe(200);
    for (const region of others) expect((await connect(kind, { ...entered, region })).statusCode).toBe(422);
  });

  it.each([
    ["search", "url", "logs.acme.example"],
    ["search", "url", "ftp://logs.acme.example"],
    ["search", "url", "https://user:password@logs.acme.example"],
    ["network", "account_email", "ops"],
    ["uptime", "api_token", "  "],
    ["uptime", "api_token", "two\nlines"],
    ["kubernetes", "kubeconfig", "apiVersion: v1"],
    ["kubernetes", "kubeconfig", `clusters: []\ncontexts: []\nusers: []\n${" ".repeat(262_144)}`],
  ])("of kind %s rejects an invalid %s", async (kind, name, value) => {
    const refused = await connect(kind, { ...inputs[kind], [name]: value });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0].loc).toEqual(["body", name]);
  });

  it("takes a kubeconfig in JSON too", async () => {
    const json = JSON.stringify({ apiVersion: "v1", clusters: [], contexts: [], users: [] });
    expect((await connect("kubernetes", { kubeconfig: json })).statusCode).toBe(200);
  });
});

function kindName(text: string): IntegrationKindName {
  const found = Object.keys(integrationKinds).find((name): name is IntegrationKindName => name === text);
  if (!found) throw new Error(`no kind ${text}`);
  return found;
}
