import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TelemetryEvent } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client } from "../src/client.ts";
import { copyVariables } from "../src/core/local-variables.ts";
import { redactionOf } from "../src/core/redact.ts";
import { type InitOptions, resolveOptions } from "../src/options.ts";
import * as sdkLimits from "../src/sdk-limits.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

function vectorsOf<Vector>(file: string): readonly (Vector & { readonly name: string })[] {
  const folder = join(import.meta.dirname, "../../protocol/vectors");
  return JSON.parse(readFileSync(join(folder, file), "utf8")).vectors;
}

interface Situation {
  readonly events?: readonly object[];
  readonly dropped?: Readonly<Record<string, unknown>>;
  readonly resent?: boolean;
}
interface Recorded {
  readonly request?: Record<string, string | string[]>;
  readonly properties?: object;
  readonly vars?: object;
  readonly attributes?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
  readonly tags?: Record<string, unknown>;
  readonly contexts?: Record<string, Record<string, unknown>>;
  readonly breadcrumb?: Record<string, unknown>;
}

const situations = vectorsOf<Situation>("situations.json");
const redactions = vectorsOf<{
  readonly added: string[];
  readonly given: Recorded;
  readonly sent: Recorded;
  readonly redactions: readonly { readonly rule: string; readonly path: string }[];
}>("redaction.json");

let gateway: TestGateway;
let client: Client;

/** Starts a gateway for each test of the suite, and closes it with the client afterwards. */
function useGateway(): void {
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(async () => {
    await client.close(1_000);
    await gateway.close();
  });
}

function start(options: Partial<InitOptions> = {}): void {
  const given = {
    apiKey: "k",
    endpoint: gateway.url,
    spool: false,
    logs: false,
    hangWatch: false,
    ...options,
  } as const;
  const resolved = resolveOptions(given, (message) => expect.fail(message));
  if (!resolved) throw new Error("no options");
  client = new Client(resolved);
  client.start([]);
}

const named = (name: string, message: string, cause?: Error): Error =>
  Object.assign(new Error(message, cause && { cause }), { name });
const messages = (...texts: readonly string[]): void => {
  for (const text of texts) client.capture.message(text);
};

/** The program of each situation, by name. */
const programs: Readonly<Record<string, () => unknown>> = {
  "an error with two causes": () => {
    start();
    const causes = named("TypeError", "not a number", named("KeyError", "amount"));
    client.capture.exception(named("OrderError", "no amount", causes));
  },
  "an error that nothing catches": () => {
    start();
    client.capture.uncaught(new Error("no stock"), "uncaughtException", false);
  },
  "a message": () => {
    start();
    client.capture.message("stock is low", { level: "warning", attributes: { sku: "A-1" } });
  },
  facts: () => {
    start();
    const scope = client.scopes.current();
    scope.setUser({ id: "u_7" });
    scope.setTag("shard", 7);
    scope.setContext("cart", { items: 3 });
    client.capture.exception(new Error("x"));
  },
  "101 breadcrumbs": () => {
    start();
    for (let count = 1; count <= 101; count++) client.breadcrumbs.add({ category: "step", message: String(count) });
    client.capture.exception(new Error("x"));
  },
  "an error in a request": () => {
    start();
    client.requests.serve(
      { method: "GET", url: "/orders/31?page=2", headers: { authorization: "Bearer a" } },
      () => "/orders/:id",
      () => client.capture.exception(new Error("x")),
    );
  },
  "a heartbeat": () => {
    start();
    messages("hello");
  },
  "a shutdown": async () => {
    start();
    messages("hello");
    await client.close();
  },
  "an event that the program drops": () => {
    start({ beforeSend: (event) => (event.message === "two" ? null : event) });
    messages("one", "two", "three");
  },
  "events that the program ignores or samples out": () => {
    start({ ignoreErrors: ["AbortError"] });
    client.capture.exception(named("AbortError", "gone"));
    messages("kept");
  },
  "an event that the service rejects": async () => {
    start();
    gateway.answers.push({ status: 202, body: '{"accepted":1,"rejected":[{"index":0}]}' });
    messages("one");
    await client.delivery.flush();
    messages("two");
  },
  "a service that is down for a moment": async () => {
    start();
    gateway.answers.push({ status: 503 });
    messages("one");
    await client.delivery.flush(100);
  },
  "more events than the queue holds": async () => {
    start();
    for (let count = 0; count < sdkLimits.queueEventsMax + 10; count++) client.capture.message(`message ${count}`);
    await client.delivery.flush();
    messages("later");
  },
};

/** Returns the pattern as vitest's matchers. */
function matching(pattern: unknown): unknown {
  if (pattern === "$text") return expect.any(String);
  if (pattern === "$number") return expect.any(Number);
  if (pattern === "$uuid") return expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  if (pattern === "$timestamp") return expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/);
  if (Array.isArray(pattern)) return pattern.map(matching);
  if (typeof pattern !== "object" || pattern === null) return pattern;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(pattern).map(([key, value]) => [key, listed(value)])),
  );
}

/** Returns the pattern of a field: a list given by its count and its ends, or any other. */
function listed(pattern: unknown): unknown {
  const { $count, $first, $last } = Object(pattern);
  if ($first === undefined) return matching(pattern);
  return expect.toSatisfy((list: unknown[]) => {
    if ($count !== undefined) expect(list).toHaveLength($count);
    expect(list[0]).toEqual(matching($first));
    if ($last !== undefined) expect(list.at(-1)).toEqual(matching($last));
    return true;
  });
}

/** Expects each number from 1 to the last one once: as an event, or in a dropped range. */
function expectEveryNumber(events: readonly TelemetryEvent[], wereRejected: boolean): void {
  const dropped = gateway.batches.flatMap((batch) => batch.dropped ?? []);
  const lost = dropped.flatMap(({ from_seq: from, to_seq: to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
  const numbers = events.map(({ seq }) => seq).filter((seq) => !(wereRejected && lost.includes(seq)));
  const all = [...numbers, ...lost].toSorted((one, other) => one - other);
  expect(all).toEqual(all.map((_, index) => index + 1));
}

describe("the programs", () => {
  it("are those of the situations", () => {
    expect(Object.keys(programs).toSorted()).toEqual(situations.map(({ name }) => name).toSorted());
  });
});

describe("what the client sends", () => {
  useGateway();

  it.each(situations)("has the shape of its vector: $name", async ({ name, events, dropped = {}, resent = false }) => {
    await programs[name]?.();
    while (!(await client.delivery.flush())) expect(gateway.posts.length).toBeLessThan(10);
    const all = gateway.events().toSorted((one, other) => one.seq - other.seq);
    const hasHeartbeat = JSON.stringify(events ?? []).includes('"heartbeat"');
    const sent = hasHeartbeat ? all : all.filter(({ type }) => type !== "heartbeat");
    if (events) expect(sent).toEqual(events.map(matching));
    const counts: Record<string, number> = {};
    for (const { reason, from_seq: from, to_seq: to } of gateway.batches.flatMap((batch) => batch.dropped ?? [])) {
      counts[reason] = (counts[reason] ?? 0) + to - from + 1;
    }
    expect(counts).toEqual(Object.fromEntries(Object.entries(dropped).map(([key, value]) => [key, matching(value)])));
    if (resent) expect(gateway.posts[1]?.batch.events).toEqual(gateway.posts[0]?.batch.events);
    expectEveryNumber(all, "rejected" in dropped);
  });
});

describe("the client's redaction", () => {
  useGateway();
  it.each(redactions)("is that of its vector: $name", async ({ added, given, sent, redactions: expected }) => {
    start({ redact: added });
    client.requests.serve(
      { method: "GET", url: "/", headers: given.request ?? {} },
      () => undefined,
      () => {
        const scope = client.scopes.current();
        if (given.user) scope.setUser(given.user);
        scope.setTags(given.tags);
        for (const [name, context] of Object.entries(given.contexts ?? {})) scope.setContext(name, context);
        if (given.breadcrumb) client.breadcrumbs.add({ category: "step", data: given.breadcrumb });
        client.capture.exception(Object.assign(new Error("x"), given.properties), { attributes: given.attributes });
      },
    );
    await client.delivery.flush();
    const [event] = gateway.events("exception");
    expect({
      request: event?.request?.headers,
      properties: event?.exceptions?.[0]?.properties,
      breadcrumb: event?.breadcrumbs?.[0]?.data,
      ...{ attributes: event?.attributes, user: event?.user, tags: event?.tags, contexts: event?.contexts },
    }).toEqual({ request: {}, ...sent, vars: undefined });
    expect(new Set(event?.redactions)).toEqual(new Set(expected.filter(({ path }) => !path.includes("/vars/"))));
  });
});

describe("the client's redaction of local variables", () => {
  it.each(redactions.filter(({ given }) => given.vars))("is that of its vector: $name", (vector) => {
    const { given, sent, added } = vector;
    const call = { function: "charge", file: "charge.js", line: 1, column: 1, isThrower: true };
    const [copied] = copyVariables([{ call, scopes: [given.vars ?? {}] }], redactionOf(added));
    expect(copied?.variables).toEqual(sent.vars);
  });
});
