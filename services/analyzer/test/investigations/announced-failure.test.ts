import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { announcedFailure } from "../../src/investigations/announced-failure.ts";
import { storedEvent } from "../stored-event.ts";
import { startTestService, type TestService } from "../test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const openedAt = new Date().toISOString();
const minutesBefore = (minutes: number): string => new Date(Date.parse(openedAt) - minutes * 60_000).toISOString();
const at = minutesBefore(2);

interface Running {
  readonly service?: string;
  readonly env?: string;
  readonly release?: string;
  readonly minutes?: number;
}

interface Announced {
  readonly title?: string;
  readonly service?: string;
  readonly env?: string;
  readonly at?: string;
  readonly text?: string;
}

/** What is known of an alert's failure, in an organization where these services run. */
async function known(running: readonly Running[], announced: Announced) {
  const scopeId = `org_${randomUUID()}`;
  await service.events.insert(
    running.map(({ service: name = "orders", env = "PROD", release = "1.0", minutes = 30 }) => {
      const receivedAt = minutesBefore(minutes);
      const stored = storedEvent(scopeId, { service: name, env, release, receivedAt, instance: randomUUID() });
      return { ...stored, event: { ...stored.event, type: "heartbeat", timestamp: receivedAt } };
    }),
  );
  const { title = "p99 above 2 s", service: named = null, env = null, text = title } = announced;
  const trigger = {
    kind: "alert",
    source: "webhook",
    sender: "Standard Webhooks",
    source_id: "als_1",
    key: "k",
    url: null,
  } as const;
  const incident = {
    ...{ title, service: named, env, created_at: openedAt, trigger: { ...trigger, at: announced.at ?? at } },
  };
  const reported = service.control.scope(scopeId).releases;
  return announcedFailure(incident, text, { events: service.events.forScope(scopeId), reported });
}

describe("the service of an announced failure", () => {
  it("is the one known in telemetry, in whatever case it is named, with what it ran at the time", async () => {
    const running = [{ release: "1.0", minutes: 60 }, { release: "2.0", minutes: 20 }, { service: "payments" }];
    expect(await known(running, { service: "Orders", env: "production" })).toEqual({
      ...{ service: "orders", env: "PROD", release: "2.0", at, isInTelemetry: true },
    });
  });

  it("comes with the page of the conversation in which it was announced", async () => {
    const page = "https://github.com/acme/shop/issues/7";
    const said = { kind: "conversation", source: "github", sender: "GitHub", source_id: "als_1" } as const;
    const trigger = { ...said, thread: "77", url: page, author: "ada", at };
    const scopeId = `org_${randomUUID()}`;
    const reported = service.control.scope(scopeId).releases;
    const incident = { title: "Orders fail", service: null, env: null, created_at: openedAt, trigger };
    expect(await announcedFailure(incident, "x", { events: service.events.forScope(scopeId), reported })).toEqual({
      ...{ service: null, env: null, release: null, at, isInTelemetry: false, page },
    });
  });

  it("is in production when the alert names no environment, or else where it runs", async () => {
    const running = [{ env: "STAGING" }, { env: "PROD" }, { service: "cart", env: "STAGING" }];
    expect(await known(running, { service: "orders" })).toMatchObject({ env: "PROD" });
    expect(await known(running, { service: "cart" })).toMatchObject({ env: "STAGING" });
  });

  it("isn't one of another environment", async () => {
    const about = await known([{ env: "STAGING" }], { service: "orders", env: "prod" });
    expect(about).toMatchObject({ service: "orders", env: "prod", release: null, isInTelemetry: false });
  });

  it("is the only one that the title or the first sentence contains as a word, when none is named", async () => {
    const running = [{ service: "orders" }, { service: "cart" }];
    expect(await known(running, { title: "Orders is slow" })).toMatchObject({ service: "orders" });
    expect(await known(running, { title: "reorders are slow" })).toMatchObject({ service: null });
    expect(await known(running, { title: "orders and cart are slow" })).toMatchObject({ service: null });
  });

  it("ran the release that the alert names", async () => {
    const text = "[FIRING:1] Slow\n- service = orders\n- version = 1.9.9";
    expect(await known([{ release: "2.0" }], { service: "orders", text })).toMatchObject({ release: "1.9.9" });
  });

  it("failed no later than the incident opened, whatever the sender's clock says", async () => {
    expect(await known([], { service: "orders", at: "2999-01-01T00:00:00Z" })).toMatchObject({ at: openedAt });
  });
});
