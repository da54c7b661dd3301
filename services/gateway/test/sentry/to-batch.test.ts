import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Batch, batchSchema, debugIdsOf, limits, parseJson, type SentryProject } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEnvelope } from "../../src/sentry/envelope-reader.ts";
import { type ClientReport, readClientReport, readSentryEvent, type SentryEvent } from "../../src/sentry/read-event.ts";
import { eventBatch, lossesBatch } from "../../src/sentry/to-batch.ts";

const project: SentryProject = { id: "123", service: "orders", env: "PROD", origins: [] };
const frame = { scopeId: "org_1", receivedAt: "2026-11-27T02:00:00.000Z" };

function read(event: unknown): SentryEvent {
  const known = readSentryEvent(event);
  if (!known) throw new Error("it isn't an object");
  return known;
}
function batchOf(event: unknown, of: SentryProject = project): Batch {
  const { header, events } = eventBatch(read(event), of, frame);
  return { ...header, events: events.map((made) => made.event) };
}
const eventOf = (event: unknown) => {
  const [first] = batchOf(event).events;
  if (!first) throw new Error("the batch has no event");
  return first;
};
/** The batch of an envelope that a client sent. Only the folders of the program and the key were replaced. */
function recorded(name: string): Batch {
  const envelope = parseEnvelope(readFileSync(join(import.meta.dirname, `recorded/${name}.envelope`)));
  const item = envelope.items.find(({ type }) => type === "event");
  return batchOf(parseJson(item?.payload.toString("utf8") ?? ""));
}

describe("the built files of an event", () => {
  const image = (file: string, debugId: string) => ({ type: "sourcemap", code_file: file, debug_id: debugId });
  const file = "https://shop.example/static/shop.js";
  const debugId = "bf4cbdf9-fb76-5b68-be8d-5218a7896b69";

  it("have their debug IDs, by the names that the stack has", () => {
    const event = eventOf({ debug_meta: { images: [image(file, debugId.toUpperCase()), image("a.js", "no ID"), {}] } });
    expect([...debugIdsOf(event)]).toEqual([[file, debugId]]);
  });

  it("aren't mentioned where none is known", () => {
    const foreign = { type: "proguard", uuid: debugId };
    expect(eventOf({ debug_meta: { images: [foreign] } })).not.toHaveProperty("contexts");
  });

  it("are 100 at most", () => {
    const images = Array.from({ length: 101 }, (_, index) => image(`${index}.js`, debugId));
    expect(debugIdsOf(eventOf({ debug_meta: { images } })).size).toBe(100);
  });
});

describe("an event of a client", () => {
  it("is valid, whatever is in it", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const frameOf = fc.record(
      { filename: value, abs_path: value, function: value, lineno: value, colno: value, in_app: value, vars: value },
      { requiredKeys: [] },
    );
    const sane = fc.record(
      {
        filename: fc.string(),
        module: fc.string(),
        function: fc.string(),
        lineno: fc.nat(9),
        context_line: fc.string(),
      },
      { requiredKeys: [] },
    );
    const exception = fc.record(
      { type: value, value, module: value, stacktrace: fc.record({ frames: fc.array(fc.oneof(frameOf, sane)) }) },
      { requiredKeys: [] },
    );
    const crumb = fc.record({ timestamp: value, category: value, type: value, data: value }, { requiredKeys: [] });
    const image = fc.record({ code_file: fc.string(), debug_id: fc.oneof(value, fc.uuid()) }, { requiredKeys: [] });
    const event = fc.record(
      {
        debug_meta: fc.oneof(value, fc.record({ images: fc.array(fc.oneof(value, image)) })),
        ...{ event_id: value, timestamp: value, level: value, message: value, logentry: value, release: value },
        platform: fc.oneof(value, fc.constantFrom("node", "python", "java", "go", "ruby", "php", "csharp", "native")),
        ...{ environment: value, server_name: value, tags: value, user: value, extra: value, contexts: value },
        ...{ request: fc.oneof(value, fc.record({ url: value, method: value, headers: value })), sdk: value },
        exception: fc.oneof(value, fc.record({ values: fc.array(exception) }), fc.array(exception)),
        breadcrumbs: fc.oneof(value, fc.record({ values: fc.array(crumb) }), fc.array(crumb)),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(event, (sent) => {
        expect(batchSchema.safeParse(batchOf(sent)).error).toBeUndefined();
      }),
    );
  });

  it("of Node has its error, its calls innermost first, its source, and what happened before", () => {
    const { events, ...header } = recorded("node");
    expect(header).toMatchObject({
      ...{ service: "orders", env: "PROD", sdk: { name: "sentry.javascript.node", version: "11.12.0" } },
      host: { name: "vm", runtime: { name: "node", version: "v20.20.2" }, os: "debian", arch: "x64" },
    });
    expect(events[0]).toMatchObject({
      ...{ id: "c46a5950-b827-43ba-8aa7-3496f51e7d54", type: "exception", level: "critical" },
      message: "Cannot read properties of undefined (reading 'length')",
      mechanism: { type: "auto.node.onuncaughtexception", handled: false },
      trace: { trace_id: "8a4e5a19a3524ee1bc856772768d6dd8", span_id: "8011b87e1facfda5" },
      tags: { tenant: "acme" },
    });
    const [thrown] = events[0]?.exceptions ?? [];
    expect(thrown?.stack.split("\n").slice(0, 3)).toEqual([
      "TypeError: Cannot read properties of undefined (reading 'length')",
      "    at total (/srv/orders/app.mjs:7:46)",
      "    at IncomingMessage.<anonymous> (/srv/orders/app.mjs:8:3)",
    ]);
    expect(thrown?.frames?.[0]).toMatchObject({
      ...{ file: "/srv/orders/app.mjs", function: "total", line: 7, column: 46, in_app: true },
      context: {
        start_line: 2,
        lines: expect.arrayContaining(["  function total(order) { return order.lines.length; }"]),
      },
    });
    expect(events[0]?.breadcrumbs).toEqual([
      {
        ...{ timestamp: "2026-11-27T01:54:33.193Z", category: "http" },
        data: { method: "GET", url: "http://whence.example/x", status_code: 200 },
      },
    ]);
  });

  it("of Python has the error and its cause, and variables as values", () => {
    const [event] = recorded("python").events;
    expect(event?.exceptions?.map(({ type, parent }) => [type, parent])).toEqual([
      ["RuntimeError", undefined],
      ["IndexError", 0],
    ]);
    const cause = event?.exceptions?.[1];
    expect(cause?.frames?.[0]).toMatchObject({
      ...{ file: "/srv/orders/app.py", function: "total", line: 6 },
      vars: { order: { lines: [] }, password: "[Filtered]", name: null, n: 3, s: "it's", d: { a: [1, null] } },
    });
    expect(cause?.stack.split("\n").slice(-3)).toEqual([
      `  File "/srv/orders/app.py", line 6, in total`,
      `    return order["lines"][0]`,
      "IndexError: list index out of range",
    ]);
    expect(event?.breadcrumbs?.[0]?.data).toMatchObject({ method: "GET", status_code: 200 });
  });

  it("of Python's logging is a log record", () => {
    expect(recorded("python-log").events[0]).toMatchObject({
      ...{ type: "log", level: "error", message: "stock low 3", attributes: { logger: "root" } },
      mechanism: { type: "log", handled: true },
    });
  });

  it.each([
    ["go", "main.(*Cart).First", "/srv/orders/orders.go", 13],
    ["java", "Orders.checkout", "com/shop/Orders.java", 15],
    ["rust", "orders::first", "/srv/orders/src/main.rs", 2],
    ["ruby", "rescue in checkout", "/srv/orders/lib/orders.rb", 9],
    ["php", "totalOf", "/srv/orders/orders.php", 9],
    ["react-native", "onPress", "app:///main.jsbundle", 595],
  ])("of %s names the call as its runtime does", (name, call, file, line) => {
    const own = recorded(name).events[0]?.exceptions?.[0]?.frames ?? [];
    expect(own.find((one) => one.file === file)).toMatchObject({ function: call, file, line });
  });

  it("of Java names its errors in full, and the cause", () => {
    const { exceptions } = recorded("java").events[0] ?? {};
    expect(exceptions?.map(({ type, parent }) => [type, parent])).toEqual([
      ["java.lang.IllegalStateException", undefined],
      ["java.lang.NullPointerException", 0],
    ]);
    expect(exceptions?.[1]?.stack.split("\n")[1]).toBe("    at com.shop.Orders.total(Orders.java:8)");
  });

  it("of Go names the cause of a wrapped error", () => {
    const { exceptions } = recorded("go-chain").events[0] ?? {};
    expect(exceptions?.map(({ message, parent }) => [message, parent])).toEqual([
      ["load order 31: connection refused", undefined],
      ["connection refused", 0],
    ]);
  });

  it("of Ruby has its lines without their ends", () => {
    const [innermost] = recorded("ruby").events[0]?.exceptions?.[1]?.frames ?? [];
    expect(innermost).toMatchObject({ function: "total", line: 4, in_app: true });
    expect(innermost?.context?.lines).toContain("  order[:lines].sum");
  });

  it("doesn't say which calls are the program's own when the client calls none so", () => {
    const frames = (...own: boolean[]) => own.map((in_app) => ({ function: "f", in_app }));
    const ownOf = (...own: boolean[]) =>
      eventOf({ exception: [{ type: "E", stacktrace: { frames: frames(...own) } }] }).exceptions?.[0]?.frames?.map(
        ({ in_app: isOwn }) => isOwn,
      );
    expect(ownOf(false, true)).toEqual([true, false]);
    expect(ownOf(false, false)).toEqual([undefined, undefined]);
  });

  it("of PHP and .NET has its stack in the form of its runtime", () => {
    const stackOf = (platform: string, type: string, frames: object[]) =>
      eventOf({ platform, exception: { values: [{ type, value: "no", stacktrace: { frames } }] } }).exceptions?.[0]
        ?.stack;
    const php = [
      { abs_path: "/srv/index.php", lineno: 5 },
      { abs_path: "/srv/Orders.php", lineno: 12, function: "Orders::show" },
      { abs_path: "/srv/Rows.php", lineno: 40, function: "Rows::find" },
    ];
    expect(stackOf("php", "NotFound", php)?.split("\n")).toEqual([
      "NotFound: no in /srv/Rows.php:40",
      "Stack trace:",
      "#0 /srv/Orders.php(12): Rows::find()",
      "#1 /srv/index.php(5): Orders::show()",
      "#2 {main}",
    ]);
    const dotnet = [{ module: "Shop.Orders", function: "int Total(Order order)", abs_path: "/Orders.cs", lineno: 12 }];
    expect(stackOf("csharp", "System.Exception", dotnet)?.split("\n")).toEqual([
      "System.Exception: no",
      "   at Shop.Orders.Total() in /Orders.cs:line 12",
    ]);
  });

  it("in a group names the error that it belongs to", () => {
    const member = (id: number, parent_id?: number) => ({
      ...{ type: `E${id}`, value: "", mechanism: { type: "chained", exception_id: id, parent_id } },
    });
    const { exceptions } = eventOf({ exception: { values: [member(2, 0), member(1, 0), member(0)] } });
    expect(exceptions?.map(({ type, parent }) => [type, parent])).toEqual([
      ["E0", undefined],
      ["E1", 0],
      ["E2", 0],
    ]);
  });

  it("keeps its environment, and has the DSN's if it has none or the one of a client that was given none", () => {
    const staging = { ...project, env: "STAGING" };
    expect(batchOf({}, staging).env).toBe("STAGING");
    expect(batchOf({ environment: "production" }, staging).env).toBe("STAGING");
    expect(batchOf({ environment: "qa" }, staging).env).toBe("qa");
  });

  it("has a user's id, and nothing else of a user", () => {
    const sent = { user: { id: 31, email: "ada@shop.example", ip_address: "203.0.113.9", username: "ada" } };
    expect(eventOf(sent).user).toEqual({ id: "31" });
    expect(eventOf({ user: { email: "ada@shop.example" } }).user).toBeUndefined();
  });

  it("keeps a request's method, path, route, and headers, and neither its query, body, nor cookies", () => {
    const request = {
      ...{ url: "https://shop.example/orders/31?token=t", method: "post", query_string: "token=t" },
      ...{ data: { card: "4111" }, cookies: { sid: "s" }, headers: [["Host", "shop.example"]] },
    };
    expect(eventOf({ transaction: "POST /orders/:id", request }).request).toEqual({
      ...{ method: "POST", path: "/orders/31", route: "/orders/:id", headers: { host: "shop.example" } },
    });
  });

  it("keeps the newest 100 breadcrumbs and 100 calls, with the outermost ten", () => {
    const crumbs = Array.from({ length: 101 }, (_, index) => ({ message: `${index}`, timestamp: 1_795_744_473 }));
    const frames = Array.from({ length: 200 }, (_, index) => ({ function: `f${index}` }));
    const event = eventOf({ breadcrumbs: crumbs, exception: [{ type: "E", stacktrace: { frames } }] });
    expect(event.breadcrumbs?.map(({ message }) => message)).toEqual(crumbs.slice(1).map(({ message }) => message));
    const names = event.exceptions?.[0]?.frames?.map(({ function: name }) => name);
    expect(names).toHaveLength(limits.framesMax);
    expect([names?.[0], names?.[89], names?.[90], names?.[99]]).toEqual(["f199", "f110", "f9", "f0"]);
  });

  it("of one server, release, and start is of one process, and of a page it is of the page", () => {
    const instance = (event: object): string => batchOf(event).instance;
    const server = { server_name: "web-1", release: "1" };
    expect(instance({ ...server, event_id: "a" })).toBe(instance({ ...server, event_id: "b" }));
    expect(instance({ ...server, release: "2" })).not.toBe(instance(server));
    const page = (id: string) => ({ contexts: { trace: { trace_id: id.repeat(32), span_id: "1".repeat(16) } } });
    expect(instance({ ...page("a"), event_id: "a" })).toBe(instance({ ...page("a"), event_id: "b" }));
    expect(instance(page("b"))).not.toBe(instance(page("a")));
  });

  it("has an ID of its own that is always the same when the client's isn't a UUID", () => {
    const { id } = eventOf({ event_id: "f".repeat(32) });
    expect(eventOf({ event_id: "f".repeat(32) }).id).toBe(id);
    expect(eventOf({ event_id: "0".repeat(31) }).id).not.toBe(id);
    expect(eventOf({}).id).not.toBe(eventOf({}).id);
  });

  it("that is too large loses what explains least, first", () => {
    const vars = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`v${index}`, "x".repeat(1_000)]));
    const library = Array.from({ length: 10 }, () => ({ function: "g", in_app: false, vars }));
    const frames = [...library, { function: "total", lineno: 3, in_app: true, vars: { order: "o" } }];
    const event = eventOf({ extra: { a: 1 }, exception: [{ type: "E", stacktrace: { frames } }] });
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(limits.eventBytesMax);
    expect(event.contexts).toBeUndefined();
    expect(event.exceptions?.[0]?.frames?.map(({ vars: kept }) => kept !== undefined)).toEqual([
      true,
      ...library.map(() => false),
    ]);
  });
});

describe("an event with more than is kept", () => {
  it("has only what is kept parsed: 100 frames, 20 errors, 100 breadcrumbs, tags, and headers, 400 lines", () => {
    const many = <Item>(item: Item): Item[] => Array.from({ length: 1_000 }, () => item);
    const parsed = read({
      exception: {
        values: many({ stacktrace: { frames: many({ pre_context: many("a"), post_context: many("b") }) } }),
      },
      breadcrumbs: many({}),
      tags: many(["name", "value"]),
      request: { headers: many(["name", "value"]) },
    });
    const frames = parsed.exception?.[0]?.stacktrace?.frames;
    expect([parsed.exception?.length, frames?.length]).toEqual([20, 100]);
    expect([frames?.[0]?.pre_context?.length, frames?.[0]?.post_context?.length]).toEqual([400, 400]);
    expect([parsed.breadcrumbs, parsed.tags, parsed.request?.headers].map((list) => list?.length)).toEqual([
      100, 100, 100,
    ]);
  });

  it("keeps its outermost error, which comes last", () => {
    const values = Array.from({ length: 21 }, (_, index) => ({ type: `Error${index}` }));
    const types = eventOf({ exception: { values } }).exceptions?.map(({ type }) => type);
    expect([types?.length, types?.[0], types?.at(-1)]).toEqual([20, "Error20", "Error1"]);
  });
});

describe("a report of a client's losses", () => {
  const reportOf = (report: unknown): ClientReport => readClientReport(report) ?? {};
  const lossesOf = (report: unknown) => lossesBatch([reportOf(report)], project, frame)?.header.dropped;

  it("says how many errors were dropped, and why", () => {
    const discarded_events = [
      { reason: "ratelimit_backoff", category: "error", quantity: 3 },
      { reason: "sample_rate", category: "transaction", quantity: 50 },
      { reason: "a reason of tomorrow", category: "error", quantity: 1 },
    ];
    expect(lossesOf({ timestamp: 1_795_744_473, discarded_events })).toEqual([
      { from_seq: 1, to_seq: 3, reason: "rate_limited" },
      { from_seq: 4, to_seq: 4, reason: "internal_error" },
    ]);
  });

  it("continues where the one before it ends, up to 1,000 ranges", () => {
    const report = reportOf({
      discarded_events: Array.from({ length: 600 }, () => ({ reason: "ignored", category: "error", quantity: 2 })),
    });
    const dropped = lossesBatch([report, report], project, frame)?.header.dropped;
    expect(dropped).toHaveLength(1_000);
    expect(dropped?.[600]).toEqual({ from_seq: 1_201, to_seq: 1_202, reason: "ignored" });
  });

  it("without lost errors says nothing", () => {
    const discarded_events = [{ reason: "no_parent_span", category: "span", quantity: 1 }];
    expect(lossesOf({ discarded_events })).toBeUndefined();
    expect(lossesOf({})).toBeUndefined();
  });
});
