import type { IntegrationKindName } from "@whence/protocol";
import { hexHmac } from "@whence/vendors/testing/alert-senders/received";
import { errorHook, installationHook } from "@whence/vendors/testing/sentry/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { renewInstalledSource } from "../../src/webhooks/installed-source.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

const application = { clientId: "the-client-id", clientSecret: "secret of the operator's" };
const applications = { vercel: { ...application, slug: "whence" }, sentryApp: application };
const installation = installationHook.installation.uuid;

let service: TestService;
let consumers: Consumers;

beforeAll(async () => {
  service = await startTestService({}, false, {}, false, true, { applications });
  const { control, events, queue, metrics, senderRequests } = service;
  consumers = startConsumers({ control, events, queue, metrics, senderRequests, clock: Date.now, logger: silent });
});
afterAll(async () => {
  await consumers.stop(1_000);
  await service.close();
});

/** An organization that connected a kind with these inputs. */
async function connected(kind: IntegrationKindName, inputs: Record<string, string>): Promise<TestOrganization> {
  const organization = await makeOrganization(service, crypto.randomUUID());
  await service.control.scope(organization.id).integrations.connect({
    ...{ kind, vendor: "vendor", belongsTo: "Acme", inputs, credentials: {} },
    ...{ by: { id: "usr_1", name: "Ada" }, now: new Date(service.clock.now) },
  });
  const { control, clock } = service;
  await renewInstalledSource(
    { control, clock: () => clock.now, integrations: { applications } },
    organization.id,
    kind,
  );
  return organization;
}

async function post(kind: string, body: object, secret = application.clientSecret): Promise<number> {
  const payload = JSON.stringify(body);
  const answer = await service.app.inject({
    ...{ method: "POST", url: `/api/webhooks/apps/${kind}`, payload },
    headers: {
      "content-type": "application/json",
      "x-vercel-signature": hexHmac("sha1", secret, payload),
      "sentry-hook-signature": hexHmac("sha256", secret, payload),
    },
  });
  return answer.statusCode;
}

const sourcesOf = async ({ cookie }: TestOrganization) =>
  (await service.app.inject({ url: "/api/alert-sources", headers: { cookie } })).json().alert_sources;
const scopeOf = ({ id }: TestOrganization) => service.control.scope(id);
const alertsOf = async (organization: TestOrganization) => {
  const [source] = await scopeOf(organization).alertSources.list();
  return source ? scopeOf(organization).alerts.list(source.id, 10) : [];
};
const isConnected = async (organization: TestOrganization) =>
  (await scopeOf(organization).integrations.list()).length > 0;

const vercelEvent = (type: string, payload: object): object => ({
  ...{ id: `uev_${crypto.randomUUID()}`, type, createdAt: service.clock.now, payload },
});
const failedDeployment = (team: string) =>
  vercelEvent("deployment.error", {
    team: { id: team },
    deployment: { id: `dpl_${team}`, name: "shop" },
    target: "production",
  });

describe("Vercel's application", () => {
  it("announces failures to everyone who installed it in the team, without any setup", async () => {
    const [one, other] = [
      await connected("hosting", { team_id: "team_1", configuration_id: "icfg_1" }),
      await connected("hosting", { team_id: "team_1", configuration_id: "icfg_2" }),
    ];
    const stranger = await connected("hosting", { team_id: "team_2", configuration_id: "icfg_3" });
    expect(await sourcesOf(one)).toMatchObject([
      { kind: "vercel", name: "Acme", inputs: { installation: "team_1" }, missing: [], created_by: { name: "Ada" } },
    ]);
    expect(await post("vercel", failedDeployment("team_1"))).toBe(200);
    for (const organization of [one, other]) {
      await expect.poll(() => alertsOf(organization)).toMatchObject([{ key: "dpl_team_1" }]);
    }
    expect(await alertsOf(stranger)).toEqual([]);
  });

  it("is rejected in the same way with a wrong signature and for a team that didn't install it", async () => {
    expect(await post("vercel", failedDeployment("team_1"), "wrong")).toBe(401);
    expect(await post("vercel", failedDeployment("team_unknown"))).toBe(401);
    expect(await post("vercel", vercelEvent("deployment.error", {}))).toBe(401);
    expect(await post("webhook", failedDeployment("team_1"))).toBe(401);
  });

  it("is disconnected once it was removed at Vercel, and its source says so", async () => {
    const one = await connected("hosting", { team_id: "team_4", configuration_id: "icfg_4" });
    const other = await connected("hosting", { team_id: "team_4", configuration_id: "icfg_5" });
    const removed = vercelEvent("integration-configuration.removed", {
      team: { id: "team_4" },
      configuration: { id: "icfg_4" },
    });
    expect(await post("vercel", removed)).toBe(200);
    await expect.poll(() => isConnected(one)).toBe(false);
    await expect
      .poll(async () => (await sourcesOf(one))[0].failed?.reason)
      .toBe("the application was removed at Vercel: connect the integration again");
    const [entry] = await scopeOf(one).audit.list({ limit: 1 });
    expect(entry).toMatchObject({ action: "integration.disconnected", target: "Vercel", actor: { name: "Vercel" } });
    expect([await isConnected(other), (await sourcesOf(other))[0].failed]).toEqual([true, null]);
  });

  it("removes its source when it is disconnected in Whence", async () => {
    const one = await connected("hosting", { team_id: "team_6", configuration_id: "icfg_6" });
    const { cookie } = one;
    await service.app.inject({ method: "DELETE", url: "/api/integrations/hosting", headers: { cookie } });
    expect(await sourcesOf(one)).toEqual([]);
    expect(await post("vercel", failedDeployment("team_6"))).toBe(401);
  });

  it("adds no source for what is connected by a token", async () => {
    expect(await sourcesOf(await connected("hosting", {}))).toEqual([]);
  });
});

describe("Sentry's application", () => {
  const installed = (action: string, slug: string) => ({
    ...{ action, installation: { uuid: installation }, actor: { id: 1, name: "Grace", type: "user" } },
    data: {
      installation: { uuid: installation, organization: { slug }, status: "installed", app: { slug: "whence" } },
    },
  });

  it("announces failures to organizations that connected Sentry, from its installation until its removal", async () => {
    const one = await connected("error-tracker", { organization_slug: "acme" });
    const stranger = await connected("error-tracker", { organization_slug: "other" });
    expect(await sourcesOf(one)).toEqual([]);
    expect(await post("sentry", errorHook)).toBe(401);
    expect(await post("sentry", installed("created", "acme"))).toBe(200);
    expect(await post("sentry", installed("created", "acme"))).toBe(200);
    expect(await sourcesOf(one)).toMatchObject([{ kind: "sentry", inputs: { installation }, missing: [] }]);
    expect(await post("sentry", errorHook)).toBe(200);
    await expect.poll(() => alertsOf(one)).toHaveLength(1);
    expect(await sourcesOf(stranger)).toEqual([]);
    expect(await post("sentry", installed("deleted", "acme"))).toBe(200);
    await expect.poll(() => isConnected(one)).toBe(false);
    await expect.poll(async () => (await sourcesOf(one))[0].failed?.reason).toContain("was removed at Sentry");
    expect(await post("sentry", errorHook)).toBe(401);
  });

  it("is rejected for an organization that didn't connect Sentry", async () => {
    expect(await post("sentry", installed("created", "unknown"))).toBe(401);
  });
});
