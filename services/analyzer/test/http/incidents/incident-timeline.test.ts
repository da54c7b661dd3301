import { minuteMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import {
  addKey,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let key: string;
let now: number;

beforeAll(async () => {
  service = await startTestService();
  now = Date.now();
  acme = await makeOrganization(service, "acme");
  key = await addKey(service, acme.id, "release");
});
afterAll(() => service.close());

const at = (minutesBefore: number) => new Date(now - minutesBefore * minuteMs).toISOString();

/** A process of a release that sends something and shuts down. */
async function ran(name: string, release: string, minutesBefore: number): Promise<void> {
  const receivedAt = at(minutesBefore);
  const sent = { service: name, release, instance: `${release} ${minutesBefore}`, receivedAt };
  const stored = storedEvent(acme.id, sent);
  await service.events.insert([{ ...stored, event: { ...stored.event, type: "exit", timestamp: receivedAt } }]);
}

async function report(name: string, release: string, minutesBefore: number): Promise<void> {
  service.clock.now = now - minutesBefore * minuteMs;
  const payload = { service: name, release };
  await service.app.inject({ method: "POST", url: "/api/releases", headers: { "x-api-key": key }, payload });
}

/** The deploys on the timeline of an incident that opens now. */
async function deploysOf(name: string): Promise<[at: string, text: string][]> {
  service.clock.now = now;
  const { id } = await service.control.scope(acme.id).incidents.open({
    ...{ title: "boom", severity: "high", service: name, env: "PROD", fingerprint: null },
    trigger: { kind: "event", event_id: storedEvent(acme.id).event.id, mechanism: "express", handled: true },
    decision: { outcome: "opened", rule: "new-failure", reason: "" },
    input: { kind: "text", errorLog: "boom", files: [] },
    now: new Date(now),
  });
  const url = `/api/incidents/${id}/telemetry`;
  const answer = await service.app.inject({ url, headers: { cookie: acme.cookie } });
  const { timeline }: { timeline: { at: string; kind: string; text: string }[] } = answer.json();
  return timeline.filter(({ kind }) => kind === "deploy").map((entry) => [entry.at, entry.text]);
}

describe("the deploys on an incident's timeline", () => {
  it("are the reported releases, even before any of their processes sent anything", async () => {
    await report("reported", "1.0.0", 20);
    await report("reported", "2.0.0", 10);
    await report("other", "9.0.0", 10);
    expect(await deploysOf("reported")).toEqual([
      [at(20), "release 1.0.0 went live, as reported"],
      [at(10), "release 2.0.0 went live, as reported"],
    ]);
  });

  it("are those seen in telemetry, without the first known release", async () => {
    await ran("seen", "1.0.0", 30);
    await ran("seen", "2.0.0", 10);
    expect(await deploysOf("seen")).toEqual([[at(10), "first event of release 2.0.0"]]);
  });

  it("name a return to an earlier release", async () => {
    for (const [release, minutesBefore] of [
      ["1.0.0", 30],
      ["2.0.0", 20],
      ["1.0.0", 5],
    ] as const) {
      await report("back", release, minutesBefore);
      await ran("ran-back", release, minutesBefore);
    }
    expect((await deploysOf("back")).at(-1)).toEqual([at(5), "went back from release 2.0.0 to 1.0.0, as reported"]);
    expect((await deploysOf("ran-back")).at(-1)).toEqual([at(5), "went back from release 2.0.0 to 1.0.0"]);
  });
});
