import type { TelemetryEvent } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  addBreadcrumb,
  type BeforeSend,
  captureException,
  captureMessage,
  close,
  flush,
  init,
  lostEvents,
  type OutgoingEvent,
} from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const start = (beforeSend: unknown): void =>
  init({ apiKey: "k", endpoint: gateway.url, redact: ["iban"], beforeSend: beforeSend as BeforeSend });
const told = (): TelemetryEvent[] => gateway.events().filter(({ type }) => type === "exception" || type === "log");

describe("the event passed to beforeSend", () => {
  it("has the protocol's shape, and what it returns may be sent", () => {
    expectTypeOf<TelemetryEvent>().toExtend<OutgoingEvent>();
    expectTypeOf<Required<OutgoingEvent>>().toExtend<Required<TelemetryEvent>>();
  });

  it("is what would be sent: redacted, with its breadcrumbs and the source around its frames", async () => {
    const seen: OutgoingEvent[] = [];
    start((event: OutgoingEvent) => {
      seen.push(structuredClone(event));
      return event;
    });
    addBreadcrumb({ category: "step", data: { iban: "DE00" } });
    captureException(new Error("x"), { attributes: { iban: "DE00" } });
    await flush();
    expect(seen.filter(({ type }) => type === "exception")).toEqual(told());
    expect(seen[0]).toMatchObject({
      attributes: { iban: "[redacted]" },
      redactions: [
        { rule: "added-name", path: "/breadcrumbs/0/data/iban" },
        { rule: "added-name", path: "/attributes/iban" },
      ],
    });
    expect(seen[0]?.exceptions?.[0]?.frames?.[0]?.context?.lines.join("\n")).toContain(
      'captureException(new Error("x")',
    );
  });

  it("lists what was replaced in the text of a thrown object, and nothing in a text that only looks like it", async () => {
    start((event: OutgoingEvent) => event);
    captureException({ status: 401, request: { headers: { Authorization: "Bearer hunter2" } }, iban: "DE00" });
    captureException("the token is [redacted]");
    await flush();
    expect(told().map(({ redactions }) => redactions)).toEqual([
      [
        { rule: "default-name", path: "/exceptions/0/message/request/headers/Authorization" },
        { rule: "added-name", path: "/exceptions/0/message/iban" },
      ],
      undefined,
    ]);
  });

  it("isn't a heartbeat without the program's data", async () => {
    start(() => null);
    captureException(new Error("x"));
    await flush();
    await close();
    expect(gateway.events().map(({ type }) => type)).toEqual(["heartbeat", "exit"]);
  });
});

describe("the result of beforeSend", () => {
  it("is sent, except for what identifies the event; redactions are recomputed", async () => {
    start((event: OutgoingEvent) => ({
      ...event,
      id: "other",
      seq: 99,
      type: "heartbeat",
      message: event.message.replace(/\d+/, "<n>"),
      level: "warning",
      attributes: { iban: "[redacted]" },
      breadcrumbs: undefined,
    }));
    addBreadcrumb({ category: "step", data: { iban: "DE00" } });
    const id = captureMessage("order 31 failed", { level: "error", attributes: { iban: 1, other: 2 } });
    await flush();
    const [event] = told();
    expect(event).toMatchObject({ id, seq: 1, type: "log", message: "order <n> failed", level: "warning" });
    expect(event?.breadcrumbs).toBeUndefined();
    expect(event?.redactions).toEqual([{ rule: "added-name", path: "/attributes/iban" }]);
  });

  it("drops the event when it is null, and its number is reported", async () => {
    start((event: OutgoingEvent) => (event.message === "secret" ? null : event));
    for (const message of ["one", "secret", "secret", "two"]) captureMessage(message);
    expect(await flush()).toBe(true);
    captureMessage("three");
    await flush();
    expect(told().map(({ message }) => message)).toEqual(["one", "two", "three"]);
    expect(gateway.batches.flatMap(({ dropped = [] }) => dropped)).toEqual([
      { from_seq: 2, to_seq: 3, reason: "before_send" },
    ]);
  });

  it("is computed once, even when the event is sent again", async () => {
    let asked = 0;
    start((event: OutgoingEvent) => {
      asked += 1;
      return event;
    });
    gateway.answers.push({ status: 503, headers: { "retry-after": "0" } }, { status: 413 });
    captureMessage("x");
    await flush();
    expect(told()).toHaveLength(1);
    expect(asked).toBe(1);
  });

  it("doesn't affect other events", async () => {
    start((event: OutgoingEvent) => {
      for (const frame of event.exceptions?.[0]?.frames ?? []) frame.file = event.message;
      for (const crumb of event.breadcrumbs ?? []) crumb.message = event.message;
      return event;
    });
    addBreadcrumb({ category: "step", message: "step" });
    const errors = ["one", "two"].map((message) => new Error(message));
    for (const error of errors) captureException(error);
    await flush();
    for (const { message, exceptions, breadcrumbs } of told()) {
      expect(exceptions?.[0]?.frames?.every(({ file }) => file === message)).toBe(true);
      expect(breadcrumbs?.map((crumb) => crumb.message)).toEqual([message]);
    }
  });

  it("may be logged about without reporting that", async () => {
    const { error } = console;
    console.error = () => undefined;
    start((event: OutgoingEvent) => {
      console.error("seen", event.id);
      return event;
    });
    captureMessage("x");
    await flush();
    console.error = error;
    expect(told()).toHaveLength(1);
  });
});

describe("an event that beforeSend didn't process", () => {
  it.each<[string, unknown]>([
    [
      "as it threw",
      () => {
        throw new Error("a bug");
      },
    ],
    [
      "as it rejected",
      async () => {
        throw new Error("a bug");
      },
    ],
    ["as it resolved to no event", async () => ({ message: "x" })],
    ["as it returned nothing", () => undefined],
    ["as it returned no event", () => ({ message: "x" })],
    ["as it returned what JSON can't say", (event: OutgoingEvent) => ({ ...event, attributes: { big: 1n } })],
    ["as it broke a list", (event: OutgoingEvent) => ({ ...event, exceptions: [null] })],
    [
      "as it returned traps",
      (event: OutgoingEvent) =>
        Object.defineProperty({ ...event }, "attributes", {
          get() {
            throw new Error("a trap");
          },
          enumerable: true,
        }),
    ],
    ["as it is no function", "scrub"],
  ])("%s is sent without data", async (_what, beforeSend) => {
    start(beforeSend);
    addBreadcrumb({ category: "step", message: "s3cret" });
    const error = Object.assign(new TypeError("s3cret"), { code: "s3cret", cause: new Error("s3cret") });
    captureException(error, { attributes: { key: "s3cret" } });
    await flush();
    const [event] = told();
    expect(event).toMatchObject({
      type: "exception",
      message: "[withheld: beforeSend failed]",
      exceptions: [
        { type: "TypeError", stack: "", frames: expect.any(Array) },
        { type: "Error", parent: 0 },
      ],
    });
    const { exceptions, ...rest } = event ?? {};
    const said = JSON.stringify([rest, exceptions?.map(({ frames: _frames, ...exception }) => exception)]);
    expect(said).not.toContain("s3cret");
  });
});

describe("an async beforeSend", () => {
  it("is awaited, and its result is sent or dropped", async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
    start(async (event: OutgoingEvent) => {
      await pause();
      return event.message === "secret" ? null : { ...event, message: event.message.toUpperCase() };
    });
    for (const message of ["one", "secret", "two"]) captureMessage(message);
    expect(await flush()).toBe(true);
    expect(told().map(({ message }) => message)).toEqual(["ONE", "TWO"]);
    captureMessage("three");
    await flush();
    expect(gateway.batches.flatMap(({ dropped = [] }) => dropped)).toEqual([
      { from_seq: 2, to_seq: 2, reason: "before_send" },
    ]);
  });

  it("drops and counts an event that it doesn't answer in time, and the others are sent", async () => {
    start((event: OutgoingEvent) => (event.message === "secret" ? new Promise(() => undefined) : event));
    captureMessage("secret");
    captureMessage("one");
    await flush();
    expect(told().map(({ message }) => message)).toEqual(["one"]);
    expect(lostEvents()).toEqual({ before_send: 1 });
  });
});
