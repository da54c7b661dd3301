import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/client.ts";
import type { BeforeSend } from "../../src/core/outgoing-event.ts";
import { answeredRequests } from "../../src/instrumentations/answered-requests.ts";
import { resolveOptions } from "../../src/options.ts";
import { RequestCounter } from "../../src/process/request-counter.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";
import { eventually } from "../polling.ts";
import { stopClock } from "../stopped-clock.ts";

let gateway: TestGateway;
let client: Client;
let startClock: () => void;

beforeEach(async () => {
  startClock = stopClock("setInterval");
  gateway = await startGateway();
});
afterEach(async () => {
  await client.close(1_000);
  startClock();
  await gateway.close();
});

function start(beforeSend?: BeforeSend): void {
  const options = resolveOptions(
    { apiKey: "k", endpoint: gateway.url, redact: ["iban"], logs: false, hangWatch: false, beforeSend },
    (message) => expect.fail(message),
  );
  if (!options) throw new Error("no options");
  client = new Client(options);
  client.start([answeredRequests]);
}

/** Returns the next heartbeat, a minute after the last one. */
async function beat() {
  const before = gateway.events("heartbeat").length;
  vi.advanceTimersByTime(60_000);
  return eventually(() => gateway.events("heartbeat")[before]);
}
const told = async () => (await beat()).breadcrumbs?.map(({ message, data }) => message ?? data);

const request = (url: string) => ({ method: "GET", url, headers: {} });

describe("the breadcrumbs of a heartbeat", () => {
  it("are those since the last one, in every request and outside of them, oldest first", async () => {
    start();
    client.breadcrumbs.add({ category: "step", message: "first" });
    client.requests.serve(
      request("/a"),
      () => undefined,
      () => client.breadcrumbs.add({ category: "step", message: "in a" }),
    );
    client.requests.serve(
      request("/b"),
      () => undefined,
      () => client.breadcrumbs.add({ category: "step", message: "in b" }),
    );
    expect(await told()).toEqual(["first", "in a", "in b"]);
    client.breadcrumbs.add({ category: "step", message: "later" });
    expect(await told()).toEqual(["later"]);
    expect(await told()).toBeUndefined();
  });

  it("include a call in progress, and the call again with its response", async () => {
    start();
    const call = client.breadcrumbs.beginCall("GET", "http://prices/31");
    expect(await told()).toEqual([{ method: "GET", url: "http://prices/31" }]);
    call.answered(200);
    expect(await told()).toEqual([expect.objectContaining({ url: "http://prices/31", status_code: 200 })]);
    expect(await told()).toBeUndefined();
  });

  it("are redacted like those of an error, and listed", async () => {
    start();
    client.breadcrumbs.add({ category: "step", data: { iban: "DE00" } });
    expect(await beat()).toMatchObject({
      breadcrumbs: [{ data: { iban: "[redacted]" } }],
      redactions: [{ rule: "added-name", path: "/breadcrumbs/0/data/iban" }],
    });
  });

  it("are the result of beforeSend, and left out when it returns null or fails", async () => {
    const answers: BeforeSend[] = [
      (event) => ({ ...event, breadcrumbs: [{ timestamp: event.timestamp, category: "scrubbed" }] }),
      () => null,
      () => {
        throw new Error("a bug");
      },
    ];
    start((event) => (event.type === "heartbeat" ? (answers.shift()?.(event) ?? null) : event));
    const seen = [];
    for (const message of ["one", "two", "three"]) {
      client.breadcrumbs.add({ category: "step", message });
      seen.push(await beat());
    }
    expect(seen.map(({ breadcrumbs }) => breadcrumbs?.map(({ category }) => category))).toEqual([
      ["scrubbed"],
      undefined,
      undefined,
    ]);
    for (const { attributes } of seen) expect(attributes).toHaveProperty("rss_bytes");
    expect((await beat()).attributes).toMatchObject({ internal_errors: 1 });
  });
});

describe("the requests of a heartbeat", () => {
  it("are those answered since the last one, and those answered with 500 or above, once there were any", async () => {
    start();
    expect((await beat()).attributes).not.toHaveProperty("requests");
    const server = createServer((incoming, response) => {
      response.writeHead(Number(incoming.url?.slice(1))).end();
    });
    const port = await listen(server);
    for (const status of [200, 404, 499, 500, 503]) await fetch(`http://127.0.0.1:${port}/${status}`);
    // The gateway of this test is a server of this thread, too.
    const { requests, failed_requests: failed } = (await beat()).attributes ?? {};
    expect([Number(requests) >= 5, failed]).toEqual([true, 2]);
    expect((await beat()).attributes).toMatchObject({ failed_requests: 0 });
    await closeServer(server);
  });

  it("are counted exactly, from one heartbeat to the next", () => {
    const answers = new RequestCounter();
    for (const status of [200, 499, 500]) answers.add(status);
    expect([answers.take(), answers.take()]).toEqual([
      { requests: 3, failed_requests: 1 },
      { requests: 0, failed_requests: 0 },
    ]);
  });
});
