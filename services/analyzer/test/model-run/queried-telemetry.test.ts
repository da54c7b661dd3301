import { randomUUID } from "node:crypto";
import { type Incident, incidentSchema, verifyReport } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { refineAfterMs } from "../../src/investigations/refinement/schedule.ts";
import { saidBefore } from "../../src/model-run/said-before.ts";
import { failureEvent, failureOf, incidentsOf } from "../incidents/reported-failures.ts";
import { makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";
import { type LoopbackProvider, startProvider } from "./loopback-provider.ts";
import type { Script } from "./scripted-server.ts";

let service: TestService;
let provider: LoopbackProvider;

beforeAll(async () => {
  service = await startTestService();
  provider = await startProvider("openai-compatible");
});
afterAll(async () => {
  await provider.close();
  await service.close();
});

/** Investigates a failure of `orders`, beside which `stock` and 30 others failed unrelated to it, and asks the model. */
async function investigated(script: Script): Promise<Incident> {
  provider.play(script);
  const acme = await makeOrganization(service, randomUUID());
  const others = Array.from({ length: 30 }, (_, index) =>
    failureEvent(service, acme.id, { service: `other-${index}`, ago: 60_000, line: index + 20 }),
  );
  const failing = failureEvent(service, acme.id, { service: "orders", ago: 100, line: 4 });
  await service.events.insert([...others, failureEvent(service, acme.id, { service: "stock", ago: 60_000 }), failing]);
  const { control, events, metrics, clock } = service;
  const context = { control, events, metrics, clock: () => clock.now, logger: silent };
  const decide = failureHandler({ ...context, relayOutbox: () => undefined });
  await decide({ scope_id: acme.id, failures: [failureOf(failing)] }, { number: 1 });
  const handle = investigationHandler({ ...context, models: provider.models });
  const only = async (): Promise<Incident> => incidentSchema.parse((await incidentsOf(service, acme))[0]);
  const message = { incident_id: (await only()).id, scope_id: acme.id };
  const { signal } = new AbortController();
  await handle(message, { id: "m1", number: 1, signal });
  // Evidence that has arrived goes first; then the model is asked.
  for (const afterMs of refineAfterMs) {
    clock.now += afterMs;
    await handle({ ...message, refine: true }, { id: "m2", number: 1, signal });
  }
  expect(provider.requests.length).toBeGreaterThan(0);
  return only();
}

/** The row of `stock`, and the digest of the answer that has it, as the model was shown them. */
function shownIn(body: string): { readonly digest: string; readonly row: string } {
  const text = body.replaceAll('\\"', '"').replaceAll("\\n", "\n");
  return {
    digest: /([0-9a-f]{12}) \(telemetry telemetry asked for by a model\)/.exec(text)?.[1] ?? "",
    row: /\{"service":"stock"[^}]*\}/.exec(text)?.[0] ?? "",
  };
}

const proposing =
  (changed: (row: string) => string = (row) => row, name = "stock"): Script =>
  ({ request, body }) => {
    if (request === 0) return { call: "query_telemetry", input: { what: "failures", minutesBefore: 30 } };
    const { digest, row } = shownIn(body);
    const citations = [{ evidence: digest, excerpt: changed(row) }];
    const sentence = `${name} failed a minute before`;
    const finding = { kind: "service", service: name, category: "dependency-outage", stance: "supports" };
    return { call: "propose", input: { findings: [{ ...finding, sentence, citations }] } };
  };
const queriedIn = ({ report }: Pick<Incident, "report">) =>
  report?.evidence.filter(({ source }) => source.name === "telemetry asked for by a model") ?? [];

describe("rows of telemetry that a model asked for", () => {
  it("are evidence of the report where the model quotes them, within a bound", async () => {
    const incident = await investigated(proposing());
    const [queried, ...more] = queriedIn(incident);
    expect(more).toEqual([]);
    expect(queried?.summary).toMatch(/^a language model read \d+ failures of .* and \d+ others in `PROD`, from /);
    expect(queried?.excerpt).toContain('"service":"stock"');
    expect(queried?.excerpt.length).toBeLessThan(9_000);
    const candidate = incident.report?.candidates.find((one) => one.service === "stock");
    expect(candidate?.evidence_ids).toContain(queried?.id);
    expect(incident.report && verifyReport(incident.report)).toEqual([]);
  });

  it.each([
    ["they don't have", proposing((row) => row.replace("stock", "ledger"))],
    ["no one asked for", proposing(undefined, "ledger")],
  ])("prove nothing that %s", async (_, script) => {
    const { report } = await investigated(script);
    expect(report?.evidence.filter(({ source }) => source.kind === "model")).toEqual([]);
    expect(report?.not_checked.join()).toMatch(/Nothing is left, so the report is the engine's alone/);
  });

  it("aren't kept where nothing quotes them", async () => {
    const incident = await investigated(({ request }) =>
      request === 0
        ? { call: "query_telemetry", input: { what: "processes", minutesBefore: 30 } }
        : { call: "propose", input: { findings: [] } },
    );
    expect(queriedIn(incident)).toEqual([]);
  });

  it("are said again of the next version of the report as they were", async () => {
    const { report } = await investigated(proposing());
    const [queried] = queriedIn({ report });
    const said = await saidBefore(report, null);
    expect(said?.observations.map(({ sha256 }) => sha256)).toContain(queried?.sha256);
  });
});
