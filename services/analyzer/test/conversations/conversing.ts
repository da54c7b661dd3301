import { randomUUID } from "node:crypto";
import type { Conversation } from "@whence/protocol";
import { type AlertSender, type Announcement, addressGuard } from "@whence/vendors";
import { alertSendersOf, webhook } from "@whence/vendors/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { z } from "zod";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { type Poster, startPoster } from "../../src/conversations/poster.ts";
import type { AskModel } from "../../src/questions/ask-model.ts";
import { webhookHandler } from "../../src/webhooks/handle-webhook.ts";
import { reportWith } from "../ended-report.ts";
import { appUrl, silent, startTestService, type TestService } from "../test-service.ts";
import { FakeVendor, requestIn } from "./fake-vendor.ts";

/** A sender whose webhooks are what they announce. */
const announcer: AlertSender = {
  ...webhook,
  read: (body) => z.array(z.custom<Announcement>()).parse(body),
};

/** The answer to a conversation whose incident ended with a report as `reportWith` makes it. */
export const cause = "It broke.";
export const underWay = "The investigation is already running.";

/** So many milliseconds after the requests of these tests. */
export const later = (ms: number): string => new Date(Date.parse("2026-03-01T12:00:00.000Z") + ms).toISOString();

/** Sets up a service for the tests of a file, and for each of them an organization that converses, which this returns. */
export function conversingInEachTest(): () => Conversing {
  let service: TestService;
  let our: Conversing;
  beforeAll(async () => {
    service = await startTestService();
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
  return () => our;
}

/** An organization whose source takes part in conversations at a vendor of the test's. */
export class Conversing {
  readonly service: TestService;
  readonly vendor: FakeVendor;
  readonly scopeId: string;
  readonly sourceId: string;
  private posters: Poster[] = [];

  private constructor(service: TestService, vendor: FakeVendor, scopeId: string, sourceId: string) {
    [this.service, this.vendor, this.scopeId, this.sourceId] = [service, vendor, scopeId, sourceId];
  }

  static async begin(service: TestService): Promise<Conversing> {
    const now = new Date(service.clock.now);
    const { id } = await service.control.organizations.ensure({ slug: randomUUID(), name: "Acme", now });
    const source = await service.control.scope(id).alertSources.add({
      ...{ kind: "webhook", name: "Chat", inputs: {}, secrets: { secret: "whsec_x", token: "t" } },
      ...{ by: { id: "usr_1", name: "Ada" }, now },
    });
    return new Conversing(service, new FakeVendor(), id, source.id);
  }

  get scope() {
    return this.service.control.scope(this.scopeId);
  }

  /** Handles a webhook that announces these, as any analyzer does. */
  async announce(...announcements: Announcement[]): Promise<void> {
    const { control, clock, metrics, senderRequests } = this.service;
    const handle = webhookHandler({
      ...{ control, metrics, senderRequests, logger: silent, clock: () => clock.now, relayOutbox: () => undefined },
      ...{ senders: alertSendersOf([announcer]), kickPoster: () => this.posters.at(-1)?.kick() },
    });
    await handle({
      ...{ scope_id: this.scopeId, source_id: this.sourceId, kind: "webhook", headers: {} },
      ...{ body: JSON.stringify(announcements), received_at: clock.now },
    });
  }

  /** Someone asks in a thread. */
  ask(thread: string, changes: Parameters<typeof requestIn>[1] = {}): Promise<void> {
    return this.announce({ kind: "request", request: requestIn(thread, changes) });
  }

  /** Starts another analyzer's poster. */
  start(askModel?: AskModel): Poster {
    const { control, clock, metrics } = this.service;
    const poster = startPoster({
      ...{ control, metrics, logger: silent, clock: () => clock.now, relayOutbox: () => undefined, appUrl },
      vendors: { webhook: this.vendor },
      outbound: { mayReach: addressGuard([]), clock: () => clock.now },
      ...(askModel && { askModel }),
    });
    this.posters.push(poster);
    return poster;
  }

  async stop(): Promise<void> {
    await Promise.all(this.posters.splice(0).map((poster) => poster.stop(10_000)));
  }

  /** Looks again until it is so, without the wait between two looks. */
  until<Value>(read: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value>> {
    return expect.poll(async () => {
      await vi.advanceTimersByTimeAsync(conversationLimits.lookIntervalMs);
      return read();
    });
  }

  /** A conversation whose analysis has ended, and was answered; the id of its incident. */
  async answered(thread: string, askModel?: AskModel): Promise<string> {
    this.start(askModel);
    await this.ask(thread);
    const incidentId = await this.incidentOf(thread);
    await this.complete(incidentId);
    await this.until(() => this.vendor.said(thread)).toEqual([cause]);
    await this.settled();
    return incidentId;
  }

  /** Waits until nothing is left to be said. */
  settled(): Promise<void> {
    return this.until(() => this.waiting()).toBe(0);
  }

  async conversation(thread: string): Promise<Conversation | undefined> {
    const listed = await this.scope.conversations.list(this.sourceId, 50);
    return listed.find((conversation) => conversation.thread === thread);
  }

  /** Waits for the incident of a thread. */
  async incidentOf(thread: string): Promise<string> {
    await this.until(async () => (await this.conversation(thread))?.incident_id ?? null).not.toBeNull();
    return (await this.conversation(thread))?.incident_id ?? "";
  }

  async complete(incidentId: string, report = reportWith()): Promise<void> {
    const { incidents } = this.scope;
    const now = new Date(this.service.clock.now);
    await incidents.complete(incidentId, (await incidents.begin(incidentId, now)) ?? 0, report, now);
  }

  async fail(incidentId: string): Promise<void> {
    const { incidents } = this.scope;
    const now = new Date(this.service.clock.now);
    const attempt = (await incidents.begin(incidentId, now)) ?? 0;
    await incidents.fail(incidentId, attempt, { code: "X", message: "The event is gone." }, now);
  }

  /** How many posts of the organization are not settled. */
  private async waiting(): Promise<number> {
    let count = 0;
    for await (const { table, row } of this.scope.exportRows()) {
      if (table === "conversation_post" && row.settled_at === null) count += 1;
    }
    return count;
  }
}
