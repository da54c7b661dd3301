import { readEventFacts } from "@whence/engine";
import type { ProcessExit } from "@whence/protocol";
import { addressGuard, type FailureQuestion, type Integration, VendorFailure } from "@whence/vendors";
import { registryOf } from "@whence/vendors/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AskingContext, integrationCollectors } from "../../src/integrations/ask-integrations.ts";
import { integrationLimits } from "../../src/integrations/integration-limits.ts";
import { storedEvent } from "../stored-event.ts";
import { signInMember, silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let scopeId: string;
const { signal } = new AbortController();
const by = { id: "usr_ada", name: "Ada" };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  const now = new Date(service.clock.now);
  scopeId = (await service.control.organizations.ensure({ slug: crypto.randomUUID(), name: "acme", now })).id;
  await service.control.scope(scopeId).integrations.connect({
    ...{ kind: "uptime", vendor: "Acme Uptime", belongsTo: "acme", inputs: {} },
    ...{ credentials: { api_token: "very-secret" }, by, now },
  });
});

interface Asked {
  readonly inputs: Readonly<Record<string, string>>;
  readonly about: FailureQuestion;
}

/** A vendor of the kind `uptime` that returns what `answer` does. */
function context(
  answer: Integration["connect"] extends (...args: never) => infer C ? Partial<C> : never,
  asked: Asked[] = [],
): AskingContext {
  const vendor: Integration = {
    ...{ kind: "uptime", vendor: "Acme Uptime", checkedAgainst: "nothing" },
    connect: (inputs) => ({
      verify: async () => "Acme",
      ask: async (about, stopped) => {
        asked.push({ inputs, about });
        return (await answer.ask?.(about, stopped)) ?? [];
      },
      close: async () => undefined,
    }),
  };
  return { registry: registryOf([vendor]), mayReach: addressGuard([]), clock: () => service.clock.now, logger: silent };
}

async function collectorsFor(asking: AskingContext) {
  const stored = storedEvent(scopeId);
  const input = { kind: "event", ...stored, files: [], notRead: [] } as const;
  const collectors = await integrationCollectors(service.control.scope(scopeId), { input, title: "boom" }, asking);
  const incident = { id: "inc_1", service: "orders", env: "PROD", fingerprint: null };
  const event = readEventFacts(stored.event, { ...stored, host: stored.host.name });
  return { collectors, findings: { incident, observedAt: stored.event.timestamp, event } };
}

async function ask(asking: AskingContext) {
  const { collectors, findings } = await collectorsFor(asking);
  const [collector] = collectors;
  const missing: string[] = [];
  const missed = (why: string): unknown => missing.push(why);
  const collecting = collector?.collect(findings, signal, missed);
  return { collectors, collecting: Promise.resolve(collecting), missing };
}

describe("the integrations of an organization", () => {
  it("are queried about the failure with their credentials, and their findings are evidence with their name", async () => {
    const asked: Asked[] = [];
    const outage = {
      ...({ kind: "problem", what: "outage", vendor: "Acme Uptime", title: "payments is down" } as const),
      ...{ target: "payments", since: "2026-03-01T11:00:00Z", until: null, url: "https://acme.example/1" },
    };
    const { collectors, collecting } = await ask(context({ ask: async () => [outage] }, asked));
    expect(collectors.map(({ name, deadlineMs }) => [name, deadlineMs])).toEqual([
      ["Acme Uptime", integrationLimits.askedWithinMs],
    ]);
    expect(await collecting).toMatchObject([
      {
        source: { kind: "integration", name: "Acme Uptime", url: "https://acme.example/1" },
        fact: { kind: "outside", outside: { title: "payments is down", since: "2026-03-01T11:00:00.000Z" } },
      },
    ]);
    expect(asked).toMatchObject([
      {
        inputs: { api_token: "very-secret" },
        about: { service: "orders", errors: [{ type: "Error", message: "boom" }] },
      },
    ]);
    const [listed] = await service.control.scope(scopeId).integrations.list();
    expect(listed).toMatchObject({ findings: 1, failed: null, answered_at: expect.any(String) });
  });

  it("of one kind are queried each, and their evidence says which one answered", async () => {
    const integrations = service.control.scope(scopeId).integrations.named("europe");
    await integrations.connect({
      ...{ kind: "uptime", vendor: "Acme Uptime", belongsTo: "acme", inputs: {} },
      ...{ credentials: { api_token: "another-secret" }, by, now: new Date(service.clock.now) },
    });
    const asked: Asked[] = [];
    const person = { kind: "record", what: "on-call", vendor: "Acme Uptime", title: "Ada", target: null } as const;
    const asking = context({ ask: async () => [{ ...person, at: null, url: null }] }, asked);
    const { collectors, findings } = await collectorsFor(asking);
    expect(collectors.map(({ name }) => name)).toEqual(["Acme Uptime", "Acme Uptime (europe)"]);
    const [, europe] = collectors;
    expect(await europe?.collect(findings, signal, () => undefined)).toMatchObject([
      {
        source: { kind: "integration", name: "Acme Uptime (europe)" },
        fact: { kind: "outside", outside: { vendor: "Acme Uptime (europe)" } },
      },
    ]);
    expect(asked.map(({ inputs }) => inputs)).toEqual([{ api_token: "another-secret" }]);
    const listed = await service.control.scope(scopeId).integrations.list();
    expect(listed.map(({ name, findings: found }) => [name, found])).toEqual([
      ["", 0],
      ["europe", 1],
    ]);
  });

  it("can't leak their own credentials into a report", async () => {
    const issue = {
      ...({ kind: "record", what: "issue", vendor: "Acme Uptime", title: "401 for very-secret" } as const),
      ...{ target: null, at: null, url: "https://acme.example/?key=very-secret" },
    };
    const { collecting } = await ask(context({ ask: async () => [issue] }));
    const said = JSON.stringify(await collecting);
    expect(said).not.toContain("very-secret");
    expect(said).toContain("401 for [redacted]");
  });

  it("name the member who is on call by their address, which isn't kept", async () => {
    await signInMember(service, scopeId, "grace@acme.example", "member");
    const [grace] = await service.control.scope(scopeId).ownership.members();
    const person = (title: string, email?: string) => ({
      ...({ kind: "record", what: "on-call", vendor: "Acme Uptime", title, target: null } as const),
      ...{ at: null, url: null, email },
    });
    const people = [person("Grace", "Grace@Acme.example"), person("Eve", "eve@acme.example"), person("Mallory")];
    const { collecting } = await ask(context({ ask: async () => people }));
    const found = (await collecting) ?? [];
    expect(found.map(({ excerpt }) => JSON.parse(excerpt)).map(({ title, member_id: id }) => [title, id])).toEqual([
      ["Grace", grace?.id],
      ["Eve", undefined],
      ["Mallory", undefined],
    ]);
    expect(JSON.stringify(found)).not.toMatch(/@acme/i);
  });

  it("are queried about a process that stopped, on its host, until its exit was noticed", async () => {
    const asked: Asked[] = [];
    const at = { firstSeenAt: "2026-03-01T10:00:00.000Z", lastSeenAt: "2026-03-01T11:00:00.000Z" };
    const process = {
      ...{ instance: "i1", service: "orders", host: "orders-0", pid: 1, runtime: "", os: "", release: "1", ...at },
      ...{ lastEventId: "", lastSentAt: at.lastSeenAt, readings: [], breadcrumbs: [], mainThreadStack: "" },
    };
    const noticedAt = "2026-03-01T11:10:00.000Z";
    const exit: ProcessExit = {
      ...{ kind: "killed", confidence: 0.5, exitAfterMs: 150_000, noticedAt, othersReporting: null },
      processes: [process],
    };
    const input = { kind: "process-exit", exit } as const;
    const [collector] = await integrationCollectors(
      service.control.scope(scopeId),
      { input, title: "" },
      context({}, asked),
    );
    const incident = { id: "inc_1", service: "orders", env: "PROD", fingerprint: null };
    await collector?.collect({ incident, observedAt: noticedAt, event: null }, signal, () => undefined);
    const span = { at: at.lastSeenAt, from: "2026-03-01T10:00:00.000Z", to: noticedAt };
    expect(asked).toMatchObject([{ about: { service: "orders", host: "orders-0", ...span } }]);
  });

  it("aren't queried about a pasted text", async () => {
    const input = { kind: "text", errorLog: "boom", files: [] } as const;
    expect(await integrationCollectors(service.control.scope(scopeId), { input, title: "boom" }, context({}))).toEqual(
      [],
    );
  });

  it("are queried about the service and places that an alert names, at its time, but not about an alert without a service", async () => {
    const asked: Asked[] = [];
    const at = "2026-03-01T11:00:00.000Z";
    const about = { service: "checkout", env: null, release: null, at, isInTelemetry: false };
    const errorLog = "[FIRING:1] Failing\n- pod = checkout-0\nsummary: https://pay.example.com/charge doesn't answer";
    const input = { kind: "text", errorLog, files: [], about } as const;
    const [collector] = await integrationCollectors(
      service.control.scope(scopeId),
      { input, title: "Failing" },
      context({}, asked),
    );
    const incident = { id: "inc_1", service: "checkout", env: null, fingerprint: null };
    await collector?.collect({ incident, observedAt: at, event: null, about }, signal, () => undefined);
    expect(asked.map((one) => one.about)).toEqual([
      {
        ...{ service: "checkout", env: "", release: "", host: "checkout-0", route: null, at },
        ...{ calledHosts: ["pay.example.com"], errors: [{ type: "Error", message: "Failing" }] },
        ...{ from: "2026-03-01T10:00:00.000Z", to: "2026-03-01T11:05:00.000Z", missed: expect.any(Function) },
      },
    ]);
    const nameless = { ...input, about: { ...about, service: null } };
    expect(
      await integrationCollectors(service.control.scope(scopeId), { input: nameless, title: "" }, context({})),
    ).toEqual([]);
  });

  it("report why they returned nothing, in the report and with their connection", async () => {
    const failing = context({
      ask: async () => {
        throw new VendorFailure("unauthorized", "Acme Uptime rejected the credentials (401)");
      },
    });
    const { collecting } = await ask(failing);
    await expect(collecting).rejects.toThrow("Acme Uptime rejected the credentials (401)");
    const [listed] = await service.control.scope(scopeId).integrations.list();
    expect(listed).toMatchObject({
      failed: { reason: "Acme Uptime rejected the credentials (401)" },
      answered_at: new Date(service.clock.now).toISOString(),
    });
  });

  it("report which part of their answer is missing, and return the rest", async () => {
    const line = { kind: "log", vendor: "Acme Uptime", level: null, source: null, count: 1, url: null } as const;
    const half = context({
      ask: async ({ missed }) => {
        missed?.(new VendorFailure("forbidden", "Acme Uptime refused to list monitors (403)"));
        return [{ ...line, message: "boom", at: "2026-03-01T11:00:00Z" }];
      },
    });
    const { collecting, missing } = await ask(half);
    expect(await collecting).toHaveLength(1);
    expect(missing).toEqual(["Acme Uptime refused to list monitors (403)"]);
    const [listed] = await service.control.scope(scopeId).integrations.list();
    expect(listed).toMatchObject({ findings: 1, failed: { reason: "Acme Uptime refused to list monitors (403)" } });
  });

  it("return what names the failing service first", async () => {
    const line = { kind: "log", vendor: "Acme Uptime", level: null, source: null, count: 1, url: null } as const;
    const at = "2026-03-01T11:00:00Z";
    const problem = (target: string) => ({
      ...({ kind: "problem", what: "outage", vendor: "Acme Uptime", title: `${target} is down` } as const),
      ...{ target, since: at, until: null, url: null },
    });
    const answer = [{ ...line, message: "boom", at }, problem("warehouse"), problem("orders")];
    const { collecting } = await ask(context({ ask: async () => answer }));
    const [first] = (await collecting) ?? [];
    expect(first).toMatchObject({ fact: { outside: { title: "orders is down" } } });
  });

  it.each([
    [integrationLimits.findingsMax, integrationLimits.findingsMax],
    [integrationLimits.findingsMax + 1, integrationLimits.findingsMax],
  ])("contribute a limited number of findings to a report: of %i, %i", async (given, kept) => {
    const line = { kind: "log", vendor: "Acme Uptime", level: null, source: null, at: "2026-03-01T11:00:00Z" } as const;
    const lines = Array.from({ length: given }, (_, at) => ({ ...line, message: `line ${at}`, count: 1, url: null }));
    const { collecting } = await ask(context({ ask: async () => lines }));
    expect(await collecting).toHaveLength(kept);
  });

  it("have texts truncated and findings without a time left out", async () => {
    const line = { kind: "log", vendor: "Acme Uptime", level: null, source: null, count: 1, url: null } as const;
    const long = {
      ...line,
      message: "x".repeat(integrationLimits.findingTextLengthMax + 1),
      at: "2026-03-01T11:00:00Z",
    };
    const { collecting } = await ask(
      context({ ask: async () => [{ ...line, message: "when?", at: "yesterday" }, long] }),
    );
    const found = await collecting;
    expect(found).toHaveLength(1);
    const [{ excerpt = "" } = {}] = found ?? [];
    expect(JSON.parse(excerpt).message).toHaveLength(integrationLimits.findingTextLengthMax);
  });

  it("have the credentials masked that a log line contains", async () => {
    const key = ["AKIA", "ABCDEFGHIJKLMNOP"].join("");
    const line = { kind: "log", vendor: "Acme Uptime", level: null, source: null, count: 1, url: null } as const;
    const logged = { ...line, message: `signing with ${key} failed`, at: "2026-03-01T11:00:00Z" };
    const { collecting } = await ask(context({ ask: async () => [logged] }));
    const [{ excerpt = "" } = {}] = (await collecting) ?? [];
    expect(JSON.parse(excerpt).message).toBe(`signing with ${"*".repeat(key.length)} failed`);
  });
});
