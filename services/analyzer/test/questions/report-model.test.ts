import { incidentSchema } from "@whence/protocol";
import { addressGuard } from "@whence/vendors";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeHostSources } from "../../src/code-hosts/code-host-sources.ts";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { configuredModels } from "../../src/models/configured-models.ts";
import type { AskedIncident } from "../../src/questions/ask-model.ts";
import { reportModel } from "../../src/questions/report-model.ts";
import type { SourceProvider } from "../../src/sources/source-provider.ts";
import { failureEvent, failureOf, incidentsOf } from "../incidents/reported-failures.ts";
import { type ScriptedServer, startScriptedServer } from "../model-run/scripted-server.ts";
import { makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";

/** How long an investigation may read the code of a host here. */
const readWithinMs = 4_000;
const code = "export function load(id) {\n  return fetch(id);\n}\n";
const quoted = { file: "read.js", from: 2, to: 2, excerpt: "return fetch(id);" };
const budget = { tokens_per_investigation: 100_000, seconds_per_investigation: 120, tokens_per_day: 1_000_000 };
const repository = "/api/v4/projects/acme/orders/repository";

let service: TestService;
let vendor: VendorServer;
let provider: ScriptedServer;
let scopeId: string;
let sources: SourceProvider;
let incident: AskedIncident;

beforeAll(async () => {
  [service, vendor, provider] = await Promise.all([
    startTestService(),
    startVendorServer(),
    startScriptedServer("openai-compatible", async ({ request }) => {
      if (request > 0) {
        return {
          call: "answer",
          input: { statements: [{ sentence: "`fetch` is called.", citations: [quoted] }] },
        };
      }
      await untilInvestigationsStopReading();
      return { call: "read_file", input: { file: "read.js", from: 1, to: 3 } };
    }),
  ]);
  const acme = await makeOrganization(service, "acme");
  scopeId = acme.id;
  const failing = failureEvent(service, scopeId, { service: "orders", release: "2.0.0", line: 2 });
  await service.events.insert([failing]);
  const { control, events, metrics, clock } = service;
  const context = { control, events, metrics, clock: () => clock.now, logger: silent };
  await failureHandler({ ...context, relayOutbox: () => undefined })(
    { scope_id: scopeId, failures: [failureOf(failing)] },
    { number: 1 },
  );
  const { id } = incidentSchema.parse((await incidentsOf(service, acme))[0]);
  const { signal } = new AbortController();
  await investigationHandler(context)({ incident_id: id, scope_id: scopeId }, { id: "m1", number: 1, signal });
  const { report } = incidentSchema.parse((await incidentsOf(service, acme))[0]);
  if (!report) throw new Error("the incident has no report");
  incident = { id, report };
  await connectGitLab();
});
afterAll(async () => {
  await Promise.all([provider?.close(), vendor?.close(), service?.close()]);
});

async function connectGitLab(): Promise<void> {
  const answers: Readonly<Record<string, unknown>> = {
    "/api/v4/projects": [{ path: "orders", path_with_namespace: "acme/orders" }],
    [`${repository}/tags/v2.0.0`]: { commit: { id: "3f2a91c".padEnd(40, "0") } },
    [`${repository}/tree`]: [{ path: "read.js", type: "blob" }],
    [`${repository}/files/read.js`]: { size: code.length, content: Buffer.from(code).toString("base64") },
  };
  vendor.answer(({ url }) => {
    const body = answers[decodeURIComponent(url.pathname)];
    return body === undefined ? { status: 404 } : { body };
  });
  await service.control.scope(scopeId).integrations.connect({
    ...{ kind: "gitlab", vendor: "GitLab", belongsTo: "acme", inputs: {} },
    credentials: { access_token: "t" },
    by: { id: "usr_ada", name: "Ada" },
    now: new Date(service.clock.now),
  });
  const gitlab = { clientId: "id", clientSecret: "secret", url: vendor.url };
  sources = codeHostSources(service.control, { ...vendor.context, applications: { gitlab } }, readWithinMs);
}

/** Waits until code that is opened now for an investigation can no longer be read. */
async function untilInvestigationsStopReading(): Promise<void> {
  const opened = await sources.open({ scopeId, service: "orders", release: "2.0.0" }, () => undefined);
  await expect.poll(async () => (await opened?.read("read.js", 1_000))?.outcome).not.toBe("read");
}

describe("a question that a slow model is asked", () => {
  it("is answered with code of a connected host, however long an investigation may read it", async () => {
    const { control, events, metrics, clock } = service;
    const seen = { control, metrics, clock: () => clock.now };
    const models = configuredModels({
      ...{ ...seen, outbound: { mayReach: addressGuard(["127.0.0.1/32"]), clock: () => clock.now } },
      installationModel: {
        ...{ provider: "openai-compatible", name: "scripted", inputs: { base_url: `${provider.url}/v1` } },
        ...{ prices: null, budget: { ...budget, usd_per_investigation: null, usd_per_day: null } },
      },
    });
    const ask = reportModel({ ...seen, events, logger: silent, models, sources });
    expect(await ask(scopeId, incident, "What does it call?")).toMatchObject({
      outcome: "answered",
      statements: [{ citations: [{ kind: "source", ...quoted }] }],
    });
  });
});
