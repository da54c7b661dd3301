import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { limits } from "@whence/protocol/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { causeChain } from "../../src/core/cause-chain.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";

describe("the chain of a thrown value", () => {
  // requirement: telemetry.cause-chain
  it("contains the error, then its causes, outermost first, each with the index of the error it caused", () => {
    const error = new Error("outer", { cause: new TypeError("middle", { cause: new RangeError("inner") }) });
    expect(causeChain(error)).toMatchObject([
      { type: "Error", message: "outer", parent: undefined },
      { type: "TypeError", message: "middle", parent: 0 },
      { type: "RangeError", message: "inner", parent: 1 },
    ]);
  });

  it("reads the error's stack at once, and each cause's stack once, on demand", () => {
    const read: string[] = [];
    const told = (name: string, cause?: Error): Error =>
      Object.defineProperty(new Error(name, { cause }), "stack", {
        get: () => {
          read.push(name);
          return `Error: ${name}\n    at work (/app/${name}.js:1:2)`;
        },
      });
    const [error, cause] = causeChain(told("error", told("cause")));
    expect([read, error?.isPrinted, cause?.isPrinted]).toEqual([["error"], true, false]);
    expect([cause?.stack.calls.frames, cause?.stack.header]).toMatchObject([
      [{ file: "/app/cause.js" }],
      "Error: cause",
    ]);
    expect([read, cause?.isPrinted]).toEqual([["error", "cause"], true]);
  });

  const many = <Value>(count: number, of: (index: number) => Value): Value[] =>
    Array.from({ length: count }, (_, i) => of(i));
  const nested = (levels: number): Error => new Error("cause", levels > 1 ? { cause: nested(levels - 1) } : {});
  const withProperties = (count: number): Error =>
    Object.assign(new Error("cause"), Object.fromEntries(many(count, (index) => [`p${index}`, index])));

  it.each([
    [
      "scalars",
      Object.assign(new Error("cause"), { code: "E", errno: -1, fatal: true, detail: undefined, more: null, tries: 3 }),
    ],
    [
      "a string of the longest recorded length",
      Object.assign(new Error("cause"), { path: "p".repeat(limits.textLengthMax) }),
    ],
    ["as many properties as are recorded", withProperties(sdkLimits.propertiesMax - 1)],
    ["text as its cause", new Error("cause", { cause: "text" })],
    ["the last cause that is recorded", nested(limits.exceptionsMax - 1)],
  ])("is printed later when a cause keeps alive only what is recorded: %s", (_what, cause) => {
    expect(causeChain(new Error("error", { cause }))[1]?.isPrinted).toBe(false);
  });

  it.each([
    ["an object", Object.assign(new Error("cause"), { response: { body: "…" } })],
    ["a longer string", Object.assign(new Error("cause"), { path: "p".repeat(limits.textLengthMax + 1) })],
    ["a string that isn't reported", Object.assign(new Error("cause"), { body: "b" })],
    ["a longer message", new Error("m".repeat(limits.messageLengthMax + 1))],
    ["more properties", withProperties(sdkLimits.propertiesMax)],
    ["an object as its cause", new Error("cause", { cause: { body: "…" } })],
    ["a cause too many", nested(limits.exceptionsMax)],
    ["more errors than are recorded", new AggregateError(many(limits.exceptionsMax, () => new Error("one")))],
    ["errors by name", Object.assign(new Error("cause"), { errors: { field: new Error("wrong") } })],
    ["an object below it", new Error("cause", { cause: Object.assign(new Error("deep"), { socket: {} }) })],
  ])("is printed at once when a cause keeps more alive: %s", (_what, cause) => {
    expect(causeChain(new Error("error", { cause })).every(({ isPrinted }) => isPrinted)).toBe(true);
  });

  it("is printed later whatever the error itself keeps alive, which is released", () => {
    const error = Object.assign(new Error("error", { cause: new Error("cause") }), { response: { body: "…" } });
    expect(causeChain(error)[1]?.isPrinted).toBe(false);
  });

  it.each([
    ["before its stack is printed", () => undefined],
    ["after its stack was printed", (cause: Error) => cause.stack],
  ])("keeps a cause's message as captured, whatever changes it later: %s", (_when, before) => {
    for (const changed of ["", "changed", "changed\n    at evil (/evil.js:1:1)"]) {
      const cause = new TypeError("refused");
      before(cause);
      const [, told] = causeChain(new Error("failed", { cause }));
      cause.message = changed;
      expect([told?.message, told?.stack.header]).toEqual(["refused", "TypeError: refused"]);
      expect(told?.stack.calls.frames[0]?.file).toBe(import.meta.filename);
    }
  });

  it.each(["originalError", "original"])("follows the %s of older libraries", (name) => {
    const original = Object.assign(new Error("duplicate key"), { code: "23505", constraint: "users_email_key" });
    expect(causeChain(Object.assign(new Error("not saved"), { [name]: original }))).toMatchObject([
      { message: "not saved" },
      { message: "duplicate key", parent: 0, properties: { code: "23505", constraint: "users_email_key" } },
    ]);
    const both = Object.assign(new Error("not saved", { cause: "full" }), { [name]: original });
    expect(causeChain(both)).toMatchObject([{ message: "not saved" }, { message: "full" }]);
    expect(causeChain(Object.assign(new Error("not saved"), { [name]: "the text before" }))).toHaveLength(1);
  });

  it("ignores an empty object as a cause, as set by got", () => {
    expect(causeChain(new Error("failed", { cause: {} }))).toHaveLength(1);
    expect(causeChain(new Error("failed", { cause: new Map() }))).toMatchObject([
      {},
      { message: "an instance of Map" },
    ]);
  });

  it("lists the members of an AggregateError after it", () => {
    const error = new AggregateError([new Error("a", { cause: new Error("a1") }), "b"], "all failed");
    expect(causeChain(error)).toMatchObject([
      { type: "AggregateError", parent: undefined },
      { message: "a", parent: 0 },
      { message: "a1", parent: 1 },
      { type: "NonError", message: "b", parent: 0 },
    ]);
  });

  it("lists both errors of a SuppressedError after it", () => {
    const error = Object.assign(new Error("both failed"), {
      name: "SuppressedError",
      error: new Error("while closing"),
      suppressed: new Error("while working"),
    });
    expect(causeChain(error)).toMatchObject([
      { type: "SuppressedError", parent: undefined },
      { message: "while closing", parent: 0 },
      { message: "while working", parent: 0 },
    ]);
  });

  it("recognizes a DOMException", () => {
    const [thrown] = causeChain(caught(() => structuredClone(() => 1)));
    expect(thrown).toMatchObject({ type: "DataCloneError", message: expect.stringContaining("could not be cloned") });
    expect(thrown?.stack.calls.frames.length).toBeGreaterThan(0);
  });

  it("reads the call sites that a program's own prepareStackTrace returns", () => {
    const former = Error.prepareStackTrace;
    Error.prepareStackTrace = (_error, sites) => sites;
    try {
      const [thrown] = causeChain(caught(() => JSON.parse("{")));
      expect(thrown?.stack.calls.frames[1]).toMatchObject({ file: import.meta.filename, in_app: true });
    } finally {
      Error.prepareStackTrace = former;
    }
  });

  it("ends where a cycle closes", () => {
    const error = new Error("outer");
    error.cause = new Error("inner", { cause: error });
    expect(causeChain(error).map(({ message }) => message)).toEqual(["outer", "inner"]);
  });

  it("contains the error itself and the innermost causes when it is too long", () => {
    const chainOf = (length: number): Error => {
      let error = new Error("1");
      for (let place = 2; place <= length; place++) error = new Error(`${place}`, { cause: error });
      return error;
    };
    for (const length of [21, 25, 500]) {
      const kept = causeChain(chainOf(length));
      const innermost = Array.from({ length: 19 }, (_, index) => `${19 - index}`);
      expect(kept.map(({ message }) => message)).toEqual([`${length}`, ...innermost]);
      expect(kept.map(({ parent }) => parent)).toEqual([undefined, ...kept.slice(1).keys()]);
    }
  });

  it("ends in bounded time when each cause creates another", () => {
    let made = 0;
    class Endless extends Error {
      override get cause(): Error {
        made += 1;
        return new Endless(`${made}`);
      }
    }
    expect(causeChain(new Endless("first"))).toHaveLength(limits.exceptionsMax);
    expect(made).toBeLessThan(2 * sdkLimits.causesFollowedMax);
  });

  it("contains 20 errors of a chain of 20, and of one of 21", () => {
    const chain = (length: number): Error =>
      Array.from({ length }).reduce<Error>((cause) => new Error("x", { cause }), new Error("x"));
    expect(causeChain(chain(limits.exceptionsMax - 1))).toHaveLength(limits.exceptionsMax);
    expect(causeChain(chain(limits.exceptionsMax))).toHaveLength(limits.exceptionsMax);
  });

  it("contains the own scalars of a system error", () => {
    const [thrown] = causeChain(caught(() => readFileSync("/nowhere")));
    expect(thrown?.properties).toMatchObject({ errno: -2, code: "ENOENT", syscall: "open", path: "/nowhere" });
  });

  it("redacts the text of a thrown object that isn't an error, at any depth", () => {
    const thrown = { status: 401, request: { headers: { Authorization: "Bearer hunter2" } }, token: "hunter2" };
    expect(causeChain(thrown)[0]?.message).toBe(
      '{"status":401,"request":{"headers":{"Authorization":"[redacted]"}},"token":"[redacted]"}',
    );
  });

  it("uses the class name when the class set none", () => {
    class OutOfStock extends Error {}
    expect(causeChain(new OutOfStock("x"))[0]?.type).toBe("OutOfStock");
  });

  it("recognizes an error of another realm", () => {
    const error: unknown = runInContext("new TypeError('elsewhere')", createContext());
    expect(causeChain(error)).toMatchObject([{ type: "TypeError", message: "elsewhere" }]);
  });

  it("recognizes errors that aren't V8's own: of pre-ES2015 classes, and a Proxy of one", () => {
    function OutOfStock(this: { message: string }): void {
      this.message = "none left";
    }
    OutOfStock.prototype = Object.create(Error.prototype, { constructor: { value: OutOfStock } });
    const old: unknown = Reflect.construct(OutOfStock, []);
    expect(causeChain(old)).toMatchObject([{ type: "OutOfStock", message: "none left" }]);
    expect(causeChain(new Proxy(new TypeError("watched"), {}))).toMatchObject([
      { type: "TypeError", message: "watched" },
    ]);
  });

  it.each([
    [new Response("x"), "{} of Response"],
    [new Map([[1, 2]]), "{} of Map"],
    [{}, "{}"],
    [Object.create(null), "{}"],
    ["plain words", "plain words"],
    [42, "42"],
    [undefined, "undefined"],
    [null, "null"],
    [Symbol("s"), "Symbol(s)"],
    [10n, "10"],
    [() => 1, "a function"],
    [{ code: 7, deep: { er: [1] } }, '{"code":7,"deep":{"er":[1]}}'],
  ])("describes %o, which isn't an error", (value, message) => {
    expect(causeChain(value)).toMatchObject([{ type: "NonError", message }]);
  });

  it("states how much of a message of 10 MB is missing", () => {
    const [thrown] = causeChain(new Error("x".repeat(10_000_000)));
    expect(thrown?.message.length).toBeLessThanOrEqual(limits.messageLengthMax);
    expect(thrown?.message).toMatch(/… \[trimmed \d+ characters\]$/);
    expect(thrown?.stack.calls.frames.length).toBeGreaterThan(0);
  });

  it.each([
    ["a getter that throws", () => Object.defineProperty(new Error("x"), "message", { get: explode })],
    ["a stack that throws", () => Object.defineProperty(new Error("x"), "stack", { get: explode })],
    [
      "an own property that throws",
      () => Object.defineProperty(new Error("x"), "code", { get: explode, enumerable: true }),
    ],
    ["no stack", () => Object.assign(new Error("x"), { stack: undefined })],
    ["a stack that is no text", () => Object.assign(new Error("x"), { stack: { at: 1 } })],
    ["a stack of what is no call", () => Object.assign(new Error("x"), { stack: [1, null, Object.create(null)] })],
    ["a frozen error", () => Object.freeze(new Error("x"))],
    ["a revoked proxy", revokedProxy],
    [
      "a proxy that refuses everything",
      () => new Proxy(new Error("x"), { get: explode, ownKeys: explode, has: explode }),
    ],
    ["a key named __proto__", () => Object.assign(new Error("x"), JSON.parse('{"__proto__": 1}'))],
    ["no prototype", () => Object.assign(Object.create(null), { message: "x", stack: "x" })],
  ])("survives %s", (_what, make) => {
    const chain = causeChain(make());
    expect(chain).toHaveLength(1);
    expect(() => JSON.stringify(chain)).not.toThrow();
  });

  it("survives any thrown value", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          const chain = causeChain(value);
          expect(chain.length).toBeGreaterThanOrEqual(1);
          expect(chain.length).toBeLessThanOrEqual(limits.exceptionsMax);
          expect(() => JSON.stringify(chain)).not.toThrow();
        },
      ),
    );
  });
});

function explode(): never {
  throw new Error("a trap");
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
  revoke();
  return proxy;
}

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
