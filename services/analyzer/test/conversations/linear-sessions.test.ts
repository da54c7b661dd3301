import { randomUUID } from "node:crypto";
import type { Scope } from "@whence/storage";
import { alertSenders, conversationVendors } from "@whence/vendors";
import { application, type LinearDouble, startLinear } from "@whence/vendors/testing/linear/linear-double";
import {
  createdSession,
  delegation,
  issueId,
  mentionId,
  promptedSession,
  sessionId,
} from "@whence/vendors/testing/linear/samples";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { type Poster, startPoster } from "../../src/conversations/poster.ts";
import { webhookHandler } from "../../src/webhooks/handle-webhook.ts";
import { reportWith } from "../ended-report.ts";
import { appUrl, silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let linear: LinearDouble;
let scopeId: string;
let sourceId: string;
let poster: Poster;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  linear = await startLinear();
  const { control, clock, metrics } = service;
  const now = new Date(clock.now);
  ({ id: scopeId } = await control.organizations.ensure({ slug: randomUUID(), name: "Acme", now }));
  const { client_id, client_secret } = application;
  const bot = await conversationVendors.linear?.verify(application, linear.context);
  ({ id: sourceId } = await scope().alertSources.add({
    ...{ kind: "linear", name: "Linear", inputs: { client_id, ...bot }, secrets: { client_secret, secret: "s" } },
    ...{ by: { id: "usr_1", name: "Ada" }, now },
  }));
  poster = startPoster({
    ...{ control, metrics, logger: silent, clock: () => clock.now, relayOutbox: () => undefined, appUrl },
    ...{ vendors: conversationVendors, outbound: linear.context },
  });
});
afterEach(async () => {
  await poster.stop(10_000);
  vi.useRealTimers();
  await linear.close();
});

const scope = (): Scope => service.control.scope(scopeId);

/** Handles a webhook of the double's workspace. */
async function receive(webhook: object): Promise<void> {
  const { control, clock, metrics, senderRequests } = service;
  const handle = webhookHandler({
    ...{ control, metrics, senderRequests, logger: silent, clock: () => clock.now, relayOutbox: () => undefined },
    ...{ senders: alertSenders, kickPoster: poster.kick },
  });
  const body = JSON.stringify({ ...webhook, organizationId: "organization-1" });
  const received = { headers: {}, body, received_at: clock.now };
  await handle({ scope_id: scopeId, source_id: sourceId, kind: "linear", ...received });
}

/** Looks again until it is so, without the wait between two looks. */
const until = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(conversationLimits.lookIntervalMs);
    return read();
  });
const conversation = async () => (await scope().conversations.list(sourceId, 1))[0];
const activities = () => linear.workspace.activities.map(({ agentSessionId: id, content }) => [id, content.type]);
const reactions = () => linear.workspace.reactions.map(({ on, emoji }) => [on, emoji]);

async function complete(): Promise<void> {
  await until(async () => (await conversation())?.incident_id ?? null).not.toBeNull();
  const incidentId = (await conversation())?.incident_id ?? "";
  const { incidents } = scope();
  const now = new Date(service.clock.now);
  await incidents.complete(incidentId, (await incidents.begin(incidentId, now)) ?? 0, reportWith(), now);
}

describe("an agent session of Linear", () => {
  it("that delegates an issue is acknowledged, and answered when its analysis has ended", async () => {
    await receive(createdSession(delegation));
    await until(reactions).toEqual([[issueId, "eyes"]]);
    await until(activities).toEqual([[sessionId, "thought"]]);
    await until(() => linear.workspace.issue.state).toMatchObject({ type: "started" });
    await complete();
    await until(activities).toEqual([
      [sessionId, "thought"],
      [sessionId, "response"],
    ]);
    await until(reactions).toEqual([[issueId, "white_check_mark"]]);
    const [, answer] = linear.workspace.activities;
    expect(answer?.content.body).toContain("It broke");
    expect(linear.workspace.links.get(sessionId)).toEqual([
      { label: expect.any(String), url: `${appUrl}/incidents/${(await conversation())?.incident_id}` },
    ]);
  });

  it("that asks again is answered from the analysis, in its own session", async () => {
    await receive(createdSession());
    await complete();
    await until(reactions).toEqual([[mentionId, "white_check_mark"]]);
    await receive(promptedSession());
    await until(activities).toHaveLength(3);
    await receive(createdSession({ id: "session-2", createdAt: "2026-03-01T12:10:00.000Z" }));
    await until(activities).toEqual([
      [sessionId, "thought"],
      [sessionId, "response"],
      [sessionId, "response"],
      ["session-2", "response"],
    ]);
    expect(await scope().incidents.list({ limit: 10 })).toHaveLength(1);
  });

  it("that is stopped ends with a message that says so, and isn't answered", async () => {
    await receive(createdSession());
    await until(async () => (await conversation())?.incident_id ?? null).not.toBeNull();
    await receive(promptedSession({ signal: "stop" }));
    const ended = [
      [sessionId, "thought"],
      [sessionId, "response"],
    ];
    await until(activities).toEqual(ended);
    expect(linear.workspace.activities[1]?.content.body).toContain("Stopped. No answer will be posted here.");
    await until(reactions).toEqual([]);
    await complete();
    await until(async () => (await conversation())?.status).toBe("COMPLETED");
    expect(activities()).toEqual(ended);
  });

  it("that is stopped before it is known ends with a message that says so when it arrives", async () => {
    await receive(promptedSession({ signal: "stop" }));
    await receive(createdSession());
    await until(activities).toEqual([[sessionId, "response"]]);
    expect(await scope().incidents.list({ limit: 1 })).toEqual([]);
  });
});
