import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { failureOf } from "../incidents/reported-failures.ts";
import { storedEvent } from "../stored-event.ts";
import { appUrl, silent } from "../test-service.ts";
import { Conversing, cause, conversingInEachTest } from "./conversing.ts";
import { requestIn } from "./fake-vendor.ts";

const our = conversingInEachTest();

describe("a conversation about a known failure", () => {
  const fingerprintOf = (name: string): string => `v1:${hash("sha256", `${our().scopeId} ${name}`).slice(0, 16)}`;

  /** Has telemetry report a failure of the service, which opens an incident. */
  async function reported(name: string): Promise<{ incidentId: string | null; at: string }> {
    const stored = storedEvent(our().scopeId, { service: name, fingerprint: fingerprintOf(name) });
    await our().service.events.insert([stored]);
    const { control, events, metrics } = our().service;
    const context = { control, events, metrics, clock: () => our().service.clock.now, logger: silent };
    const decide = failureHandler({ ...context, relayOutbox: () => undefined });
    const attempt = { id: "1", number: 1, signal: new AbortController().signal };
    await decide({ scope_id: our().scopeId, failures: [failureOf(stored)] }, attempt);
    const known = await our().scope.failures.find(fingerprintOf(name), "PROD");
    return { incidentId: known?.incidentId ?? null, at: known?.lastSeen ?? "" };
  }

  it("joins the incident that telemetry opened for a service that people name", async () => {
    const { incidentId, at } = await reported("cart");
    expect(incidentId).not.toBeNull();
    our().vendor.discussions.set("t", { title: "Cart, again", text: "It is slow.", at });
    our().vendor.discussions.set("other", { title: "The cart-worker", text: "is slow, carts too", at });
    our().start();
    await Promise.all([our().ask("t"), our().ask("other")]);
    expect(await our().incidentOf("t")).toBe(incidentId);
    expect(await our().incidentOf("other")).not.toBe(incidentId);
  });

  it.each([
    [900_000, true],
    [900_001, false],
  ])("considers failures seen at most 15 minutes before: %i ms, %s", async (ms, isFound) => {
    const { incidentId, at } = await reported("cart");
    our().vendor.discussions.set("t", { title: "cart", at: new Date(Date.parse(at) + ms).toISOString() });
    our().start();
    await our().ask("t");
    expect((await our().incidentOf("t")) === incidentId).toBe(isFound);
  });

  it("belongs to the incident that it links to, and is answered at once when that has ended", async () => {
    const incidentId = await our().answered("first");
    our().vendor.discussions.set("t", { text: `Whence: see ${appUrl}/incidents/${incidentId}.` });
    await our().ask("t");
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
    expect((await our().conversation("t"))?.incident_id).toBe(incidentId);
  });

  it("never belongs to an incident of another organization", async () => {
    const theirs = await Conversing.begin(our().service);
    theirs.start();
    await theirs.announce({ kind: "request", request: requestIn("t") });
    const incidentId = await theirs.incidentOf("t");
    await theirs.stop();
    our().vendor.discussions.set("t", { text: `${appUrl}/incidents/${incidentId}` });
    our().start();
    await our().ask("t");
    expect(await our().incidentOf("t")).not.toBe(incidentId);
    expect((await our().scope.incidents.list({ limit: 10 })).map(({ trigger }) => trigger.kind)).toEqual([
      "conversation",
    ]);
  });

  it("is forgotten with its incident, and starts over when someone asks again", async () => {
    const incidentId = await our().answered("t");
    await our().scope.incidents.remove(incidentId);
    expect(await our().conversation("t")).toBeUndefined();
    await our().ask("t", { requestId: "2" });
    expect(await our().incidentOf("t")).not.toBe(incidentId);
  });
});
