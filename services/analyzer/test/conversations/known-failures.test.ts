import { hash } from "node:crypto";
import { fingerprint } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { failureOf } from "../incidents/reported-failures.ts";
import { storedEvent } from "../stored-event.ts";
import { appUrl, silent } from "../test-service.ts";
import { Conversing, cause, conversingInEachTest } from "./conversing.ts";
import { requestIn } from "./fake-vendor.ts";

const our = conversingInEachTest();
const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

describe("a conversation about a known failure", () => {
  const fingerprintOf = (name: string): string => `v1:${hash("sha256", `${our().scopeId} ${name}`).slice(0, 16)}`;

  /** Has telemetry report a failure of the service, which opens an incident. */
  function reported(name: string): Promise<{ incidentId: string | null; at: string }> {
    return reportedAs(storedEvent(our().scopeId, { service: name, fingerprint: fingerprintOf(name) }));
  }

  /** Has telemetry report an error of a service, thrown in a function of that service. */
  function thrown(service: string, type: string, message: string, inFunction: string, at = new Date().toISOString()) {
    const stack = `${type}: ${message}\n    at ${inFunction} (/srv/${service}/src/main.js:3:9)`;
    const exceptions = [{ type, message, stack }];
    const stored = storedEvent(our().scopeId, { service, fingerprint: fingerprint({ service, message, exceptions }) });
    return reportedAs({ ...stored, event: { ...stored.event, exceptions, timestamp: at } }, `${type}: ${message}`);
  }

  async function reportedAs(stored: ReturnType<typeof storedEvent>, title?: string) {
    await our().service.events.insert([stored]);
    const { control, events, metrics } = our().service;
    const context = { control, events, metrics, clock: () => our().service.clock.now, logger: silent };
    const decide = failureHandler({ ...context, relayOutbox: () => undefined });
    const attempt = { id: "1", number: 1, signal: new AbortController().signal };
    const failure = { ...failureOf(stored), ...(title !== undefined && { title }) };
    await decide({ scope_id: our().scopeId, failures: [failure] }, attempt);
    const known = await our().scope.failures.find(stored.fingerprint, "PROD");
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
    our().vendor.discussions.set("t", { title: "cart", text: "slow", at: after(at, ms) });
    our().start();
    await our().ask("t");
    expect((await our().incidentOf("t")) === incidentId).toBe(isFound);
  });

  it.each([
    [-900_000, true],
    [-900_001, false],
  ])("considers failures first seen at most 15 minutes after: %i ms, %s", async (ms, isFound) => {
    const { incidentId, at } = await reported("cart");
    our().vendor.discussions.set("t", { title: "cart", text: "slow", at: after(at, ms) });
    our().start();
    await our().ask("t");
    expect((await our().incidentOf("t")) === incidentId).toBe(isFound);
  });

  it("belongs to the incident of the failure whose stack it quotes, whichever was seen last, and whenever", async () => {
    const quoted = await thrown("cart", "TypeError", "total is undefined", "priceOf");
    await thrown("cart", "TypeError", "total is undefined", "discountOf");
    const text = "look:\nTypeError: total is undefined\n    at priceOf (/srv/cart/src/main.js:3:9)";
    our().vendor.discussions.set("t", { title: "checkout", text, at: "2020-01-01T00:00:00.000Z" });
    our().start();
    await our().ask("t");
    expect(await our().incidentOf("t")).toBe(quoted.incidentId);
  });

  it("belongs to the incident of the failure whose message it quotes, with other values", async () => {
    const quoted = await thrown("cart", "OrderError", "order 1041 has no lines", "check");
    await thrown("cart", "TypeError", "total is undefined", "discountOf");
    const text = "cart says OrderError: order 77 has no lines, again";
    our().vendor.discussions.set("t", { title: "checkout", text, at: quoted.at });
    our().start();
    await our().ask("t");
    expect(await our().incidentOf("t")).toBe(quoted.incidentId);
  });

  it("doesn't take a message that is only a type and values for a quotation", async () => {
    const { incidentId, at } = await thrown("cart", "ValidationFailedError", "1041", "check");
    const text = "billing says ValidationFailedError: 77";
    our().vendor.discussions.set("t", { title: "billing", text, at });
    our().start();
    await our().ask("t");
    expect(await our().incidentOf("t")).not.toBe(incidentId);
  });

  it("belongs to no incident of the service it names if it states another error", async () => {
    const { incidentId, at } = await thrown("cart", "TypeError", "total is undefined", "priceOf");
    const text = "RangeError: Invalid array length\n    at grow (/srv/cart/src/list.js:9:3)";
    our().vendor.discussions.set("t", { title: "cart", text, at });
    our().start();
    await our().ask("t");
    expect(await our().incidentOf("t")).not.toBe(incidentId);
  });

  it("that may be about several failures names the one of its answer, and links the others", async () => {
    await thrown("cart", "TypeError", "total is undefined", "priceOf");
    const { at } = await thrown("cart", "RangeError", "Invalid array length", "grow");
    our().vendor.discussions.set("t", { title: "What is wrong with cart?", text: "", at });
    our().start();
    await our().ask("t");
    await our()
      .until(() => our().vendor.said("t"))
      .toContainEqual(expect.stringMatching(/^This may be about 2 failures\. The answer is about "\w+Error: /));
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
    const ada = { kind: "member", id: "usr_ada", name: "Ada" } as const;
    await our().scope.incidents.remove(incidentId, ada, new Date(our().service.clock.now));
    expect(await our().conversation("t")).toBeUndefined();
    await our().ask("t", { requestId: "2" });
    expect(await our().incidentOf("t")).not.toBe(incidentId);
  });
});
