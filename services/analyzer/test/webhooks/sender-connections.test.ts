import { SocketModeClient } from "@slack/socket-mode";
import { LogLevel } from "@slack/web-api";
import { webhooksTopic } from "@whence/storage";
import { mentionEvent } from "@whence/vendors/testing/slack/samples";
import { appToken, botToken, refused, SlackDouble } from "@whence/vendors/testing/slack/slack-double";
import { SocketDouble } from "@whence/vendors/testing/slack/socket-double";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type SenderConnections, startSenderConnections } from "../../src/webhooks/sender-connections.ts";
import { makeOrganization, startTestService, type TestService } from "../test-service.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const unlimited = { timeout: 100_000, interval: 10 };

let service: TestService;
let scopeId: string;
let double: SlackDouble;
let sockets: SocketDouble;
const running: SenderConnections[] = [];

beforeAll(async () => {
  service = await startTestService();
  scopeId = (await makeOrganization(service, "acme")).id;
});
afterAll(() => service.close());
beforeEach(async () => {
  [double, sockets] = await Promise.all([SlackDouble.start(), SocketDouble.start()]);
  double.socketPort = sockets.port;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  const { alertSources } = service.control.scope(scopeId);
  for (const { id } of await alertSources.list()) await alertSources.remove(id);
  await Promise.all([double.close(), sockets.close()]);
});

async function addSource(secrets: Readonly<Record<string, string>> = { app_token: appToken }): Promise<string> {
  const { alertSources } = service.control.scope(scopeId);
  const added = await alertSources.add({
    ...{ kind: "slack", name: "Slack", inputs: {}, by: { id: "usr_1", name: "Ada" }, now: new Date() },
    secrets: { signing_secret: "s", bot_token: botToken, ...secrets },
  });
  return added.id;
}

function start(): SenderConnections {
  const { control, queue, metrics } = service;
  const started = startSenderConnections({ control, queue, metrics, outbound: double.context, logger: silent });
  running.push(started);
  return started;
}

const connected = (count = 1) => vi.waitFor(() => expect(sockets.open).toHaveLength(count), unlimited);
const acknowledged = (...ids: string[]) => vi.waitFor(() => expect(sockets.acknowledged).toEqual(ids), unlimited);
const failureOf = async (id: string) => (await service.control.scope(scopeId).alertSources.find(id))?.failed?.reason;

/** What is on the queue, taken from it. */
async function queued(): Promise<unknown[]> {
  const { signal } = new AbortController();
  const taken = await service.queue.receive(webhooksTopic, { max: 100, waitMs: 0, signal });
  for (const delivery of taken) await delivery.ack();
  return taken.map(({ body }) => JSON.parse(body));
}

describe("Socket Mode", () => {
  it("puts an event on the queue, and then acknowledges it", async () => {
    const id = await addSource();
    start();
    await connected();
    sockets.sendEvent("e1", mentionEvent());
    await acknowledged("e1");
    expect(sockets.paths).toEqual(["/link/?ticket=1&app_id=A1"]);
    const [message, ...others] = await queued();
    expect(message).toMatchObject({ scope_id: scopeId, source_id: id, kind: "slack", headers: {} });
    expect(message).toMatchObject({ body: JSON.stringify(mentionEvent()) });
    expect(others).toEqual([]);
  });

  it("puts an event on the queue once, even when it arrives several times over several connections", async () => {
    await addSource();
    start();
    start();
    await connected(2);
    for (const [index, socket] of sockets.open.entries()) {
      const envelope = { envelope_id: `e${index}`, type: "events_api", retry_attempt: index };
      sockets.send({ ...envelope, payload: { ...mentionEvent(), event_id: "Ev1" } }, socket);
    }
    await vi.waitFor(() => expect(sockets.acknowledged.toSorted()).toEqual(["e0", "e1"]), unlimited);
    expect(await queued()).toHaveLength(1);
  });

  it("opens the next connection before Slack ends this one, which delivers until then", async () => {
    await addSource();
    start();
    await connected();
    const [first] = sockets.open;
    sockets.send({ type: "disconnect", reason: "refresh_requested", debug_info: { host: "applink-1" } });
    await connected(2);
    sockets.send({ envelope_id: "late", type: "events_api", payload: { ...mentionEvent(), event_id: "Ev2" } }, first);
    await acknowledged("late");
    first?.close();
    await connected(1);
    expect(await queued()).toHaveLength(1);
  });

  it("connects again after a connection was lost", async () => {
    await addSource();
    start();
    await connected();
    sockets.open[0]?.terminate();
    await vi.waitFor(() => expect(sockets.sockets).toHaveLength(2), unlimited);
    await connected();
  });

  it("ignores unknown messages, and continues", async () => {
    await addSource();
    start();
    await connected();
    const garbage = ["null", "{", "[]", '{"type":"events_api"}', '{"type":"hello"}', '{"type":"slash_commands"}'];
    for (const text of garbage) sockets.send(text);
    sockets.sendEvent("e3", { ...mentionEvent(), event_id: "Ev3" });
    await acknowledged("e3");
    expect(await queued()).toHaveLength(1);
  });

  it("connects only for sources with an app-level token", async () => {
    await addSource({});
    await addSource();
    start();
    await connected();
    expect(double.called("apps.connections.open")).toHaveLength(1);
  });

  it("records with its source that a token is wrong", async () => {
    const id = await addSource({ app_token: "xapp-wrong" });
    start();
    await vi.waitFor(async () => expect(await failureOf(id)).toContain("enter a valid app-level token"), unlimited);
    expect(sockets.sockets).toHaveLength(0);
  });

  it("records with its source that Socket Mode is off", async () => {
    const id = await addSource();
    start();
    await connected();
    sockets.send({ type: "disconnect", reason: "link_disabled" });
    await vi.waitFor(async () => expect(await failureOf(id)).toContain("off in the Slack app"), unlimited);
  });

  it("tries again after Slack failed, and records that it works", async () => {
    const id = await addSource();
    double.prepare("apps.connections.open", { body: refused("internal_error") });
    start();
    await vi.waitFor(async () => expect(await failureOf(id)).toContain("internal_error"), unlimited);
    await connected();
    const received = async () => (await service.control.scope(scopeId).alertSources.find(id))?.received_at;
    await vi.waitFor(async () => expect(await received()).not.toBeNull(), unlimited);
  });

  it("doesn't count a connection that Slack never greets", async () => {
    const id = await addSource();
    sockets.greets = false;
    start();
    await connected();
    sockets.open[0]?.close();
    await vi.waitFor(async () => expect(await failureOf(id)).toContain("ended the connection"), unlimited);
  });

  it("reaches only allowed addresses", async () => {
    const id = await addSource();
    const { control, queue, metrics } = service;
    const mayReach = (address: string): boolean => address === "127.0.0.1" && double.calls.length === 0;
    const outbound = { ...double.context, mayReach };
    running.push(startSenderConnections({ control, queue, metrics, outbound, logger: silent }));
    await vi.waitFor(async () => expect(await failureOf(id)).toContain("has no public address"), unlimited);
    expect(sockets.sockets).toHaveLength(0);
  });

  it("closes its connections when it stops, also while it connects or waits", async () => {
    await addSource();
    await addSource({ app_token: "xapp-wrong" });
    const connecting = start();
    await connecting.stop();
    const waiting = start();
    await connected();
    await waiting.stop();
    await connected(0);
  });
});

describe("the double of Socket Mode", () => {
  it("serves Slack's own client as it serves ours", async () => {
    double.prepare("apps.connections.open", { body: { ok: true, url: `ws://127.0.0.1:${sockets.port}/link/` } });
    const client = new SocketModeClient({
      ...{ appToken, logLevel: LogLevel.ERROR, autoReconnectEnabled: false },
      clientOptions: { slackApiUrl: `${double.url}/api/` },
    });
    const received = new Promise<unknown>((resolve) => {
      client.on("app_mention", async ({ ack, body }) => {
        await ack();
        resolve(body);
      });
    });
    await client.start();
    sockets.sendEvent("theirs", mentionEvent());
    expect(await received).toEqual(mentionEvent());
    await acknowledged("theirs");
    sockets.send({ type: "disconnect", reason: "warning" });
    await vi.waitFor(() => expect(sockets.open).toHaveLength(0), unlimited);
  });
});
