import type { Failure, FailureMessage } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let relayed = 0;
let handle: (message: FailureMessage) => Promise<unknown>;

beforeAll(async () => {
  service = await startTestService();
  const decide = failureHandler({
    control: service.control,
    events: service.events,
    clock: () => service.clock.now,
    logger: silent,
    metrics: service.metrics,
    relayOutbox: () => {
      relayed += 1;
    },
  });
  handle = (message) => decide(message, { number: 1 });
});
afterAll(() => service.close());

const failure = (changes: Partial<Failure> = {}): Failure => ({
  event_id: crypto.randomUUID(),
  fingerprint: "v1:aaaaaaaaaaaaaaaa",
  service: "orders",
  env: "PROD",
  release: "",
  type: "exception",
  level: "error",
  title: "TypeError: x",
  mechanism: "uncaughtException",
  handled: false,
  at: new Date(service.clock.now).toISOString(),
  ...changes,
});

const incidentsOf = (scope: string) => service.control.scope(scope).incidents.list({ limit: 100 });

describe("failures from telemetry", () => {
  it("of one kind open one incident, even when many are delivered several times", async () => {
    const failures = Array.from({ length: 50 }, () => failure());
    await handle({ scope_id: "org_a", failures });
    await handle({ scope_id: "org_a", failures });
    await handle({ scope_id: "org_a", failures: [failure()] });
    expect(await incidentsOf("org_a")).toHaveLength(1);
    const [known] = await service.control.scope("org_a").failures.list({ limit: 10 });
    expect(known?.decision).toMatchObject({ outcome: "joined", rule: "known-failure" });
    const decisions = await service.control.scope("org_a").failures.decisions("v1:aaaaaaaaaaaaaaaa", "PROD");
    expect(decisions.map(({ outcome }) => outcome).sort()).toEqual(["joined", "opened"]);
    expect(relayed).toBe(3);
  });

  it("of two kinds open two, and of two organizations one each", async () => {
    await handle({ scope_id: "org_b", failures: [failure(), failure({ fingerprint: "v1:bbbbbbbbbbbbbbbb" })] });
    await handle({ scope_id: "org_c", failures: [failure()] });
    expect(await incidentsOf("org_b")).toHaveLength(2);
    expect(await incidentsOf("org_c")).toHaveLength(1);
  });

  it("at once, from two analyzers, open one incident", async () => {
    const message = { scope_id: "org_d", failures: [failure()] };
    await Promise.all([handle(message), handle(message), handle(message)]);
    expect(await incidentsOf("org_d")).toHaveLength(1);
  });

  // requirement: telemetry.only-prod-triggers
  it("of another environment open none, and the record says why", async () => {
    await handle({ scope_id: "org_e", failures: [failure({ env: "STAGING" })] });
    expect(await incidentsOf("org_e")).toEqual([]);
    const [known] = await service.control.scope("org_e").failures.list({ limit: 10 });
    expect(known).toMatchObject({ env: "STAGING", incidentId: null, decision: { outcome: "skipped" } });
    expect(known?.decision.reason).toContain("only PROD is monitored");
  });

  it("of another environment don't keep the same failure in PROD from opening one", async () => {
    await handle({ scope_id: "org_f", failures: [failure({ env: "STAGING" }), failure()] });
    expect(await incidentsOf("org_f")).toHaveLength(1);
  });
});
