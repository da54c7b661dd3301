import { hash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { VendorFailure } from "../../src/integrations/vendor-failure.ts";
import { reportWith } from "../ended-report.ts";
import { failureOf } from "../incidents/reported-failures.ts";
import { storedEvent } from "../stored-event.ts";
import { appUrl, silent, type TestService } from "../test-service.ts";
import { Conversing } from "./conversing.ts";
import { requestIn } from "./fake-vendor.ts";

let service: TestService;
let our: Conversing;

beforeAll(async () => {
  service = await Conversing.startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  our = await Conversing.begin(service);
  service.metrics.conversationPosts.reset();
});
afterEach(async () => {
  await our.stop();
  vi.useRealTimers();
  await our.scope.alertSources.remove(our.sourceId);
});

const cause = "It broke.";
const underWay = "The investigation is already running.";
const ask = (thread: string, changes: Parameters<typeof requestIn>[1] = {}) =>
  our.announce({ kind: "request", request: requestIn(thread, changes) });
const later = (ms: number): string => new Date(Date.parse("2026-03-01T12:00:00.000Z") + ms).toISOString();
const settled = () => our.until(() => our.waiting()).toBe(0);

/** A conversation whose analysis has ended, and was answered. */
async function answered(thread: string): Promise<string> {
  our.start();
  await ask(thread);
  const incidentId = await our.incidentOf(thread);
  await our.complete(incidentId);
  await our.until(() => our.vendor.said(thread)).toEqual([cause]);
  await settled();
  return incidentId;
}

describe("a request in a conversation", () => {
  // requirement: issue-record.state-processing
  // requirement: issue-record.placeholder-for-mention
  it("is acknowledged at once, read, and opens an incident on what people said", async () => {
    our.start();
    await ask("t");
    const incidentId = await our.incidentOf("t");
    expect(our.vendor.calls).toEqual(["acknowledge", "show", "read"]);
    expect(our.vendor.states.get("t")).toBe("PROCESSING");
    expect(our.vendor.said("t")).toEqual(["Looking for the root cause."]);
    expect(await our.scope.incidents.find(incidentId)).toMatchObject({
      ...{ title: "Checkout fails in t", severity: "medium", status: "queued" },
      trigger: {
        ...{ kind: "conversation", source: "webhook", source_id: our.sourceId, thread: "t", author: "Ada" },
        url: "https://chat.example.com/t",
      },
      decision: { outcome: "opened", rule: "conversation", reason: "Ada asked in Standard Webhooks" },
    });
    expect(await our.scope.incidents.input(incidentId)).toMatchObject({
      ...{ kind: "text", errorLog: "Checkout fails in t\nTypeError: total is undefined" },
    });
    expect(await our.conversation("t")).toMatchObject({
      ...{ title: "Checkout fails in t", url: "https://chat.example.com/t", status: "PROCESSING" },
      ...{ incident_id: incidentId, stopped_at: null, failed: null },
    });
  });

  // requirement: issue-record.state-completed
  it("is answered in place of the acknowledgment, and marked as completed", async () => {
    await answered("t");
    expect(our.vendor.states.get("t")).toBe("COMPLETED");
    expect((await our.conversation("t"))?.status).toBe("COMPLETED");
  });

  // requirement: issue-record.state-failed
  it("whose analysis fails gets the reason, and is marked as failed", async () => {
    our.start();
    await ask("t");
    await our.fail(await our.incidentOf("t"));
    await our.until(() => our.vendor.said("t")).toEqual(["Investigation failed: Checkout fails in t"]);
    await our.until(() => our.vendor.states.get("t")).toBe("FAILED");
    expect((await our.conversation("t"))?.status).toBe("FAILED");
    expect([...our.vendor.messages.values()].map(({ purpose }) => purpose)).toEqual(["failure"]);
  });

  // requirement: issue-record.one-per-issue
  // requirement: issue-record.not-duplicate
  it("is answered once, however often it is delivered and by however many at once", async () => {
    our.start();
    our.start();
    await Promise.all([ask("t"), ask("t"), ask("t")]);
    const incidentId = await our.incidentOf("t");
    await ask("t");
    await our.complete(incidentId);
    await ask("t");
    await settled();
    expect(our.vendor.said("t")).toEqual([cause]);
    expect(await our.scope.incidents.list({ limit: 10 })).toHaveLength(1);
  });

  it("while the analysis is under way hears once that the answer will come", async () => {
    our.start();
    await Promise.all([ask("t"), ask("t", { requestId: "2" }), ask("t", { requestId: "3" })]);
    const incidentId = await our.incidentOf("t");
    await ask("t", { requestId: "4", question: "Why?" });
    await settled();
    expect(our.vendor.said("t")).toEqual(["Looking for the root cause.", underWay]);
    await our.complete(incidentId);
    await our.until(() => our.vendor.said("t")).toEqual([cause, underWay]);
  });

  // requirement: issue-record.repeat-references
  it("after the analysis points to it, and opens no other", async () => {
    await answered("t");
    await ask("t", { requestId: "2", how: "assigned" });
    await our.until(() => our.vendor.said("t")).toEqual([cause, "Already analyzed: It broke."]);
    expect(await our.scope.incidents.list({ limit: 10 })).toHaveLength(1);
  });

  // requirement: trigger.issue-follow-up
  it("with a question after the analysis is answered from its report", async () => {
    await answered("t");
    await ask("t", { requestId: "2", question: "Which release?" });
    await our.until(() => our.vendor.said("t")).toEqual([cause, "The report names no release or change as the cause."]);
    const counted = async () => {
      const { values } = await service.metrics.conversationPosts.get();
      return values.map(({ labels }) => `${labels.kind} ${labels.outcome}`);
    };
    const expected = ["acknowledgment posted", "start posted", "answer posted", "follow-up posted"];
    await our.until(counted).toEqual(expect.arrayContaining(expected));
  });

  it("that arrives after its follow-up is a further request of the same conversation", async () => {
    our.start();
    await ask("t", { requestId: "second", question: "Why?", at: later(5_000) });
    const incidentId = await our.incidentOf("t");
    await ask("t", { requestId: "first", at: later(0) });
    await our.complete(incidentId);
    await settled();
    expect(our.vendor.said("t")[0]).toBe(cause);
    expect(await our.scope.incidents.list({ limit: 10 })).toHaveLength(1);
    expect((await our.conversation("t"))?.asked_at).toBe(later(5_000));
  });

  it("goes on where a process stopped, whichever step that was at", async () => {
    await ask("t");
    expect(our.vendor.calls).toEqual([]);
    our.vendor.losing.add("acknowledge");
    our.vendor.fail(new Error("killed"), "read");
    our.start();
    await our.until(() => our.vendor.calls.includes("read")).toBe(true);
    await our.stop();
    our.vendor.recover();
    service.clock.now += conversationLimits.holdMs;
    our.start();
    const incidentId = await our.incidentOf("t");
    await our.stop();
    await our.complete(incidentId);
    our.vendor.losing.add("post");
    our.start();
    await our.until(() => our.vendor.said("t")).toEqual([cause]);
    await our.stop();
    our.vendor.recover();
    service.clock.now += conversationLimits.holdMs;
    our.start();
    await our.until(() => our.vendor.states.get("t")).toBe("COMPLETED");
    expect(our.vendor.said("t")).toEqual([cause]);
  });

  it("keeps its words within bounds", async () => {
    our.start();
    our.vendor.discussions.set("t", { text: "é".repeat(200_000), title: "x".repeat(900), url: "javascript:alert(1)" });
    await ask("t", { question: "?".repeat(100_000), author: `Ada\n${"a".repeat(900)}` });
    const incident = await our.scope.incidents.find(await our.incidentOf("t"));
    expect(incident?.title).toHaveLength(200);
    expect(incident?.trigger).toMatchObject({ url: null, author: expect.stringMatching(/^Ada a{96}$/) });
  });
});

describe("a vendor that is down", () => {
  const down = new VendorFailure("unavailable", "Chat answered 503");

  it("for a minute delays the answer, and nothing is lost or said twice", async () => {
    our.vendor.fail(down, "acknowledge", "read", "post", "show");
    our.start();
    await ask("t");
    await our
      .until(async () => (await our.conversation("t"))?.failed)
      .toEqual({
        ...{ reason: "Chat answered 503", given_up: false },
      });
    service.clock.now += 60_000;
    our.vendor.recover();
    const incidentId = await our.incidentOf("t");
    our.vendor.fail(down, "post");
    await our.complete(incidentId);
    await our.until(async () => (await our.conversation("t"))?.failed?.reason).toBe("Chat answered 503");
    expect((await our.conversation("t"))?.status).toBe("COMPLETED");
    service.clock.now += 60_000;
    our.vendor.recover();
    await our.until(() => our.vendor.states.get("t")).toBe("COMPLETED");
    await settled();
    expect(our.vendor.said("t")).toEqual([cause]);
    expect((await our.conversation("t"))?.failed).toBeNull();
  });

  it("and says when to come back is asked no earlier", async () => {
    our.vendor.fail(new VendorFailure("rate-limited", "slow down", 120_000), "read");
    our.start();
    await ask("t");
    await our.until(async () => (await our.conversation("t"))?.failed?.reason).toBe("slow down");
    our.vendor.recover();
    service.clock.now += 119_000;
    await our.until(() => our.vendor.calls.length).toBe(3);
    service.clock.now += 1_000;
    await our.incidentOf("t");
  });

  it("for a day is given up, which is seen; the next request starts over", async () => {
    our.vendor.fail(down, "acknowledge", "read", "post", "show");
    our.start();
    await ask("t");
    await our.until(async () => (await our.conversation("t"))?.failed?.given_up).toBe(false);
    service.clock.now += conversationLimits.givenUpAfterMs;
    await our.until(async () => (await our.conversation("t"))?.failed?.given_up).toBe(true);
    expect(await our.conversation("t")).toMatchObject({ status: "FAILED", incident_id: null });
    our.vendor.recover();
    await ask("t", { requestId: "2" });
    await our.complete(await our.incidentOf("t"));
    await our.until(() => our.vendor.said("t")).toEqual([cause]);
  });

  it("that lets the bot write but not read says so in the conversation within minutes", async () => {
    our.vendor.fail(new VendorFailure("forbidden", "the bot is not in the channel"), "read");
    our.start();
    await ask("t");
    await our.until(async () => (await our.conversation("t"))?.failed?.given_up).toBe(false);
    service.clock.now += conversationLimits.shutOutGivenUpAfterMs;
    await our
      .until(() => our.vendor.said("t"))
      .toEqual(["This conversation couldn't be read: the bot is not in the channel"]);
    await our.until(async () => (await our.conversation("t"))?.status).toBe("FAILED");
    expect(our.vendor.states.get("t")).toBe("FAILED");
  });

  it("for reactions alone keeps no one from an answer, and the state is shown later", async () => {
    our.vendor.fail(down, "show", "acknowledge");
    our.start();
    await ask("t");
    await our.complete(await our.incidentOf("t"));
    await our.until(() => our.vendor.said("t")).toEqual([cause]);
    await ask("t", { requestId: "2" });
    await our.until(() => our.vendor.said("t").length).toBe(2);
    expect(our.vendor.states.get("t")).toBeUndefined();
    our.vendor.recover();
    service.clock.now += 60_000;
    await our.until(() => our.vendor.states.get("t")).toBe("COMPLETED");
    expect(our.vendor.said("t")).toHaveLength(2);
  });
});

describe("an incident that is investigated again", () => {
  it("before its answer could be posted is answered from the report that there is", async () => {
    our.start();
    await ask("t");
    const incidentId = await our.incidentOf("t");
    await our.stop();
    await our.complete(incidentId);
    await our.scope.incidents.requeue(incidentId);
    our.start();
    await our.until(() => our.vendor.said("t")).toEqual([cause]);
    await our.complete(incidentId);
    await settled();
    expect(our.vendor.said("t")).toEqual([cause]);
  });

  it("after it had failed is answered in place of the failure", async () => {
    our.start();
    await ask("t");
    const incidentId = await our.incidentOf("t");
    await our.fail(incidentId);
    await our.until(() => our.vendor.said("t")).toEqual(["Investigation failed: Checkout fails in t"]);
    await our.scope.incidents.requeue(incidentId);
    await our.complete(incidentId);
    await our.until(() => our.vendor.said("t")).toEqual([cause]);
    await our.until(() => our.vendor.states.get("t")).toBe("COMPLETED");
  });
});

describe("a corrected report", () => {
  it("replaces the answer, without another message", async () => {
    const incidentId = await answered("t");
    await our.scope.incidents.requeue(incidentId);
    const root_cause = { category: "timeout" as const, statement: "Code [e1].", location: null, service: null };
    await our.complete(incidentId, reportWith({ root_cause, root_cause_summary: "Another cause [e1]." }));
    await our.until(() => our.vendor.said("t")).toEqual(["Another cause."]);
  });

  it("that is only surer posts nothing", async () => {
    const incidentId = await answered("t");
    const calls = our.vendor.calls.length;
    await our.scope.incidents.requeue(incidentId);
    await our.complete(incidentId, reportWith({ confidence: { score: 0.9, basis: "more" } }));
    await settled();
    expect(our.vendor.calls).toHaveLength(calls);
  });
});

describe("a request that is called off", () => {
  const stop = (ms: number) => our.announce({ kind: "stop", thread: "t", at: later(ms) });

  it("is not answered, and its record ends with the analysis", async () => {
    our.start();
    await ask("t");
    const incidentId = await our.incidentOf("t");
    await stop(1_000);
    await our.complete(incidentId);
    await our.until(() => our.vendor.states.get("t")).toBe("COMPLETED");
    expect(our.vendor.said("t")).toEqual(["Looking for the root cause."]);
    expect(await our.conversation("t")).toMatchObject({ status: "COMPLETED", stopped_at: later(1_000) });
  });

  it("before it began opens nothing", async () => {
    await ask("t");
    await stop(1_000);
    our.start();
    await settled();
    expect(our.vendor.calls).toEqual([]);
    expect(await our.conversation("t")).toMatchObject({ status: "FAILED", incident_id: null });
  });

  it("is wanted again when someone asks later", async () => {
    our.start();
    await ask("t");
    const incidentId = await our.incidentOf("t");
    await stop(1_000);
    await ask("t", { requestId: "2", at: later(2_000) });
    await settled();
    await our.complete(incidentId);
    await our.until(() => our.vendor.said("t")).toEqual([cause, underWay]);
  });

  it("of an unknown conversation changes nothing", async () => {
    await stop(1_000);
    expect(await our.conversation("t")).toBeUndefined();
  });
});

describe("an application that is removed at the vendor", () => {
  it("loses what was entered and says so, and keeps what was made", async () => {
    await our.announce({ kind: "removed", by: "Grace" });
    const source = await our.scope.alertSources.find(our.sourceId);
    expect(source?.failed?.reason).toBe(
      "Grace removed the application at the sender, and the secrets that were entered are deleted: install it again and enter them",
    );
    expect((await service.control.alertSources.find(our.sourceId))?.inputs).toEqual({ secret: "whsec_x" });
  });

  it("is noted as received when it is installed", async () => {
    await our.announce({ kind: "installed", by: null });
    expect((await our.scope.alertSources.find(our.sourceId))?.received_at).not.toBeNull();
  });
});

describe("a conversation about something known", () => {
  const fingerprintOf = (name: string): string => `v1:${hash("sha256", `${our.scopeId} ${name}`).slice(0, 16)}`;

  /** Has telemetry report a failure of the service, which opens an incident. */
  async function reported(name: string): Promise<{ incidentId: string | null; at: string }> {
    const stored = storedEvent(our.scopeId, { service: name, fingerprint: fingerprintOf(name) });
    await service.events.insert([stored]);
    const { control, events, metrics } = service;
    const context = { control, events, metrics, clock: () => service.clock.now, logger: silent };
    const decide = failureHandler({ ...context, relayOutbox: () => undefined });
    const attempt = { id: "1", number: 1, signal: new AbortController().signal };
    await decide({ scope_id: our.scopeId, failures: [failureOf(stored)] }, attempt);
    const known = await our.scope.failures.find(fingerprintOf(name), "PROD");
    return { incidentId: known?.incidentId ?? null, at: known?.lastSeen ?? "" };
  }

  it("joins the incident that telemetry opened for a service that people name", async () => {
    const { incidentId, at } = await reported("cart");
    expect(incidentId).not.toBeNull();
    our.vendor.discussions.set("t", { title: "Cart, again", text: "It is slow.", at });
    our.vendor.discussions.set("other", { title: "The cart-worker", text: "is slow, carts too", at });
    our.start();
    await Promise.all([ask("t"), ask("other")]);
    expect(await our.incidentOf("t")).toBe(incidentId);
    expect(await our.incidentOf("other")).not.toBe(incidentId);
  });

  it.each([
    [900_000, true],
    [900_001, false],
  ])("looks at failures seen at most 15 minutes before: %i ms, %s", async (ms, isFound) => {
    const { incidentId, at } = await reported("cart");
    our.vendor.discussions.set("t", { title: "cart", at: new Date(Date.parse(at) + ms).toISOString() });
    our.start();
    await ask("t");
    expect((await our.incidentOf("t")) === incidentId).toBe(isFound);
  });

  it("belongs to the incident that it links to, and is answered at once when that has ended", async () => {
    const incidentId = await answered("first");
    our.vendor.discussions.set("t", { text: `Whence: see ${appUrl}/incidents/${incidentId}.` });
    await ask("t");
    await our.until(() => our.vendor.said("t")).toEqual([cause]);
    expect((await our.conversation("t"))?.incident_id).toBe(incidentId);
  });

  it("never belongs to an incident of another organization", async () => {
    const theirs = await Conversing.begin(service);
    theirs.start();
    await theirs.announce({ kind: "request", request: requestIn("t") });
    const incidentId = await theirs.incidentOf("t");
    await theirs.stop();
    our.vendor.discussions.set("t", { text: `${appUrl}/incidents/${incidentId}` });
    our.start();
    await ask("t");
    expect(await our.incidentOf("t")).not.toBe(incidentId);
    expect((await our.scope.incidents.list({ limit: 10 })).map(({ trigger }) => trigger.kind)).toEqual([
      "conversation",
    ]);
  });

  it("is forgotten with its incident, and starts over when someone asks again", async () => {
    const incidentId = await answered("t");
    await our.scope.incidents.remove(incidentId);
    expect(await our.conversation("t")).toBeUndefined();
    await ask("t", { requestId: "2" });
    expect(await our.incidentOf("t")).not.toBe(incidentId);
  });
});
