import { createContext, runInContext } from "node:vm";
import { limits } from "@whence/protocol/limits";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { boundedRecord } from "../../src/core/bounded-data.ts";
import { addBreadcrumb, captureException, captureMessage, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
afterEach(() => close(1_000));

/** Captures a value, and returns the number of events that arrived. The gateway validates each batch. */
async function arrived(capture: () => unknown): Promise<number> {
  init({ apiKey: "k", endpoint: gateway.url, logs: [] });
  const before = gateway.events("exception").length;
  expect(capture()).toEqual(expect.any(String));
  expect(await flush()).toBe(true);
  return gateway.events("exception").length - before;
}

function explode(): never {
  throw new Error("a trap");
}

const trapped = ["name", "message", "stack", "cause", "errors", "code", "constructor", "toString", "toJSON"];

/** Generates anything that may be thrown, in hostile variants. */
const hostile = fc
  .tuple(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true }),
    fc.constantFrom(Error, TypeError, AggregateError.bind(undefined, [1, new Error("member")])),
    fc.subarray(trapped),
    fc.dictionary(fc.string(), fc.anything({ withBigInt: true })),
    fc.constantFrom("as it is", "error", "frozen", "proxy", "revoked", "no prototype", "cyclic", "of another realm"),
  )
  .map(([value, ErrorClass, traps, fields, form]) => (): unknown => {
    if (form === "as it is") return value;
    const error: object =
      form === "of another realm"
        ? runInContext("new RangeError('elsewhere')", createContext())
        : new (ErrorClass as ErrorConstructor)(String(Object.keys(fields)));
    for (const [name, field] of Object.entries(fields)) {
      Object.defineProperty(error, name, { value: field, enumerable: true, configurable: true });
    }
    for (const name of traps)
      Object.defineProperty(error, name, { get: explode, enumerable: true, configurable: true });
    if (form === "cyclic") Object.defineProperty(error, "cause", { value: { cause: error, stack: "", message: "" } });
    if (form === "frozen") Object.freeze(error);
    if (form === "no prototype") Object.setPrototypeOf(error, null);
    if (form === "proxy") return new Proxy(error, { ownKeys: explode, has: explode, getPrototypeOf: explode });
    if (form !== "revoked") return error;
    const { proxy, revoke } = Proxy.revocable(error, {});
    revoke();
    return proxy;
  });

describe("any thrown value", () => {
  it("arrives as one valid event, and capturing it doesn't throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 10 }), async (makes) => {
        const values = makes.map((make) => make());
        const count = await arrived(() => values.map((value) => captureException(value)).at(-1));
        expect(count).toBe(values.length);
      }),
      { numRuns: 60 },
    );
  });

  it("arrives as valid data in a message, a breadcrumb, or an attribute", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (make, makeOther) => {
        const [value, other] = [make(), makeOther()];
        const count = await arrived(() => {
          addBreadcrumb({
            category: value as string,
            message: other as string,
            data: value as Record<string, unknown>,
          });
          captureMessage(value as string, { attributes: other as Record<string, unknown> });
          return captureException(new Error("x"), { attributes: { value, other }, level: value as "error" });
        });
        expect(count).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it("arrives with bytes, texts, and dates described in words, whatever methods they have", async () => {
    const bytes = Buffer.alloc(50_000_000);
    const attributes = {
      bytes,
      numbers: new Float64Array(3),
      text: Object("abc"),
      at: Object.assign(new Date(0), { toISOString: explode, toJSON: explode }),
      never: new Date(Number.NaN),
    };
    addBreadcrumb({ category: "c", data: bytes as unknown as Record<string, unknown> });
    expect(await arrived(() => captureException(new Error("x", { cause: bytes }), { attributes }))).toBe(1);
    const event = gateway.events("exception").at(-1);
    expect(event?.attributes).toEqual({
      bytes: "[50000000 bytes]",
      numbers: "[24 bytes]",
      text: "abc",
      at: "1970-01-01T00:00:00.000Z",
      never: null,
    });
    expect(event?.exceptions?.[1]?.message).toBe("an instance of Buffer");
  });

  it.each([[true], [null], [undefined], [{}], [[]]])("takes no more room than text when it is a tree of %j", (leaf) => {
    const tree = [1, 2, 3, 4].reduce<unknown>((value) => Array.from({ length: 50 }, () => value), leaf);
    const data = boundedRecord({ tree }, 4_096)?.data;
    expect(JSON.stringify(data).length).toBeLessThan(3 * 4_096);
  });

  it("arrives when its message is 10 MB long, its chain 1,000 deep, its properties 10,000", async () => {
    const long = new Error("x".repeat(10_000_000));
    const deep = Array.from({ length: 1_000 }).reduce<Error>((cause) => new Error("x", { cause }), new Error("x"));
    const wide = Object.assign(
      new Error("x"),
      Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${key}`, key])),
    );
    expect(await arrived(() => [long, deep, wide].map((error) => captureException(error)).at(-1))).toBe(3);
    const [first, second] = gateway.events("exception").slice(-3);
    expect(first?.message.length).toBeLessThanOrEqual(limits.messageLengthMax);
    expect(second?.exceptions).toHaveLength(limits.exceptionsMax);
  });
});

/** Applies a program's change of a built-in while `run` runs. */
async function polluted(
  target: object,
  name: string,
  descriptor: PropertyDescriptor,
  run: () => Promise<void>,
): Promise<void> {
  const former = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { ...descriptor, configurable: true });
  try {
    await run();
  } finally {
    if (former) Object.defineProperty(target, name, former);
    else Reflect.deleteProperty(target, name);
  }
}

describe("a program that changed what all errors share", () => {
  it.each<[string, object, string, PropertyDescriptor]>([
    ["prepareStackTrace that throws", Error, "prepareStackTrace", { value: explode, writable: true }],
    [
      "prepareStackTrace that gives call sites",
      Error,
      "prepareStackTrace",
      { value: (_: Error, sites: unknown) => sites, writable: true },
    ],
    [
      "prepareStackTrace that gives something else",
      Error,
      "prepareStackTrace",
      { value: () => ({ frames: 1 }), writable: true },
    ],
    [
      "prepareStackTrace that gives JSON",
      Error,
      "prepareStackTrace",
      { value: (error: Error) => JSON.stringify({ at: error.message }), writable: true },
    ],
    ["no stacks", Error, "stackTraceLimit", { value: 0, writable: true }],
    ["a setter for every cause", Object.prototype, "cause", { set: explode, get: () => new Error("polluted") }],
    ["a getter for every code", Object.prototype, "code", { get: explode }],
    ["a get for everything", Object.prototype, "get", { value: "polluted", writable: true }],
    ["a toJSON for everything", Object.prototype, "toJSON", { value: () => "polluted", writable: true }],
    ["a toJSON for lists", Array.prototype, "toJSON", { value: () => "polluted", writable: true }],
  ])("is served as usual with %s", async (_what, target, name, descriptor) => {
    const before = gateway.events("exception").length;
    const ids: unknown[] = [];
    await polluted(target, name, descriptor, async () => {
      init({ apiKey: "k", endpoint: gateway.url, logs: [] });
      addBreadcrumb({ category: "step", level: "info", message: "m", data: { a: [1] } });
      ids.push(captureException(new Error("outer", { cause: new TypeError("inner") })));
      await flush();
    });
    expect(ids).toEqual([expect.any(String)]);
    const [event, ...others] = gateway.events("exception").slice(before);
    expect(others).toEqual([]);
    expect(event?.exceptions?.slice(0, 2).map(({ type }) => type)).toEqual(["Error", "TypeError"]);
  });
});
