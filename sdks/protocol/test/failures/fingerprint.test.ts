import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitFingerprint, type FingerprintInput, fingerprint } from "../../src/failures/fingerprint.ts";
import { messageTemplate } from "../../src/failures/message-template.ts";
import type { Exception, Frame } from "../../src/telemetry/telemetry.ts";
import { fingerprintPairs } from "./fingerprint-pairs.ts";
import { serverLanguagePairs } from "./server-language-pairs.ts";

const frame = (name: string, changes: Partial<Frame> = {}): Frame => ({
  file: "/srv/orders/src/total.js",
  function: name,
  line: 12,
  column: 31,
  in_app: true,
  ...changes,
});

const exception = (changes: Partial<Exception> = {}): Exception => ({
  type: "TypeError",
  message: "Cannot read properties of null (reading 'amount')",
  stack: "",
  frames: [frame("totalOf"), frame("checkout")],
  ...changes,
});

const failure = (changes: Partial<FingerprintInput> = {}): FingerprintInput => ({
  service: "orders",
  message: "it broke",
  exceptions: [exception()],
  ...changes,
});

const thrown = (...exceptions: Partial<Exception>[]) => fingerprint(failure({ exceptions: exceptions.map(exception) }));
const logged = (message: string) => fingerprint({ service: "orders", message });

describe("a fingerprint", () => {
  it("is v1 and 16 hex digits for any failure", () => {
    const anyFrame = fc.record(
      { file: fc.string(), function: fc.string(), in_app: fc.boolean() },
      { requiredKeys: [] },
    );
    const anyException = fc.record({
      type: fc.string(),
      message: fc.string(),
      stack: fc.string(),
      frames: fc.array(anyFrame),
    });
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: "binary" }),
        fc.array(anyException),
        (service, message, exceptions) => {
          const made = fingerprint({ service, message, exceptions });
          expect(made).toMatch(/^v1:[0-9a-f]{16}$/);
          expect(fingerprint({ service, message, exceptions })).toBe(made);
        },
      ),
    );
  });

  it("is stable across releases, so that stored fingerprints keep matching", () => {
    expect(fingerprint(failure())).toBe("v1:d9d5f62726bddae3");
    expect(logged("payment 12 failed")).toBe("v1:124aea02f0f6853d");
    expect(exitFingerprint(["orders"], "killed")).toBe("v1:4c9ed9129cf8fa64");
  });

  it("groups pairs of real outputs as a person would", () => {
    const wrong = [...fingerprintPairs, ...serverLanguagePairs].filter(
      ({ isSame, left, right }) => (fingerprint(left) === fingerprint(right)) !== isSame,
    );
    expect(fingerprintPairs.length).toBeGreaterThanOrEqual(50);
    expect(wrong.map(({ what }) => what)).toEqual([]);
  });
});

const hash = fc.stringMatching(/^[0-9a-f]{8}$/).filter((text) => /\d/.test(text) && /[a-f]/.test(text));
const root = fc.constantFrom(
  "/app",
  "/srv/orders",
  "/usr/src/app",
  "/home/ada/orders",
  "C:\\Users\\ada\\orders",
  "/workspace",
);
const between = fc.constantFrom<Frame>(
  { file: "node:internal/process/task_queues", function: "process.processTicksAndRejections", in_app: false },
  { file: "/app/node_modules/express/lib/router.js", function: "next", in_app: false },
  { file: "/app/node_modules/@opentelemetry/api/build/src/context.js", function: "with" },
  { function: "async Promise.all (index 4)" },
  { function: "Promise.then" },
);

describe("one failure", () => {
  it("keeps its fingerprint wherever it is built, run, and called from", () => {
    const surroundings = fc.record({
      root,
      line: fc.nat(10_000),
      column: fc.nat(100_000),
      isAsync: fc.boolean(),
      noise: fc.array(between, { maxLength: 4 }),
      deep: fc.array(fc.nat(50), { maxLength: 3 }),
    });
    const stackIn = ({
      root: at,
      line,
      column,
      isAsync,
      noise,
      deep,
    }: Parameters<typeof surroundings.filter>[0] extends (value: infer Value) => unknown ? Value : never) => {
      const names = ["reserve", "placeOrder", "handle", "route", "serve"];
      const separator = at.startsWith("C:") ? "\\" : "/";
      const own = names.map((name, index) =>
        frame(isAsync && index > 0 ? `async ${name}` : name, {
          file: [at, "src", `${name}.js`].join(separator),
          line: line + index,
          column,
        }),
      );
      const callers = deep.map((number) => frame(`caller${number}`));
      return [...own.slice(0, 1), ...noise, ...own.slice(1), ...callers];
    };
    fc.assert(
      fc.property(surroundings, surroundings, fc.string(), (left, right, message) => {
        expect(thrown({ frames: stackIn(left) })).toBe(thrown({ frames: stackIn(right), message }));
      }),
    );
  });

  it("keeps its fingerprint across builds of a bundle", () => {
    const build = fc.record({
      hash,
      column: fc.nat(1_000_000),
      name: fc.constantFrom("a", "t", "Xe", "e.x", "_0x3fa1"),
    });
    const bundled = ({ hash: built, column, name }: { hash: string; column: number; name: string }) =>
      thrown({
        frames: [
          frame("checkout", { file: `/app/dist/chunk-${built}.js`, line: 1, column }),
          frame(name, { file: `/app/dist/main.${built}.js`, line: 1, column }),
        ],
      });
    fc.assert(
      fc.property(build, build, (left, right) => {
        expect(bundled(left)).toBe(bundled(right));
      }),
    );
  });

  it("keeps its fingerprint whatever values a log contains", () => {
    const value = fc.oneof(
      ...[fc.uuid(), fc.ipV4(), fc.stringMatching(/^[a-z]{1,12}@[a-z]{2,12}\.example$/), fc.integer().map(String)],
      fc.webUrl().filter((url) => !/['"()]/.test(url)),
      fc
        .date({ noInvalidDate: true, min: new Date("1970-01-01"), max: new Date("2100-01-01") })
        .map((date) => date.toISOString()),
    );
    fc.assert(
      fc.property(value, value, (left, right) => {
        const place = (text: string): string => messageTemplate(`value ${text} was refused`).replace(/<\w+>/, "<>");
        expect(place(left)).toBe(place(right));
      }),
    );
  });

  it("keeps its fingerprint whatever the number of addresses tried", () => {
    const refused = (count: number) => {
      const members = Array.from({ length: count }, () => ({ type: "Error", parent: 0, frames: [] }));
      return thrown({ type: "AggregateError", frames: [] }, ...members);
    };
    expect(refused(1)).toBe(refused(4));
  });
});

describe("two failures", () => {
  const base = fingerprint(failure());
  it.each<[string, string]>([
    ["the service", fingerprint(failure({ service: "payments" }))],
    ["the type", thrown({ type: "RangeError" })],
    ["the cause", thrown({}, {})],
    ["the function that failed", thrown({ frames: [frame("taxOf"), frame("checkout")] })],
    ["the file", thrown({ frames: [frame("totalOf", { file: "/srv/orders/src/tax.js" }), frame("checkout")] })],
    ["where the innermost cause was thrown", thrown({}, { frames: [frame("fetchPrice")] })],
  ])("differ by %s", (_what, made) => {
    expect(made).not.toBe(base);
  });

  it("rarely collide: none of 20,000 names does", () => {
    const made = new Set(Array.from({ length: 20_000 }, (_, index) => thrown({ frames: [frame(name(index))] })));
    expect(made.size).toBe(20_000);
  });

  it("differ, for process exits, by service and kind, but not by the order of services", () => {
    expect(exitFingerprint(["a", "b"], "host-lost")).toBe(exitFingerprint(["b", "a"], "host-lost"));
    expect(exitFingerprint(["a"], "killed")).not.toBe(exitFingerprint(["a"], "hung"));
    expect(exitFingerprint(["a"], "killed")).not.toBe(exitFingerprint(["b"], "killed"));
  });
});

describe("failures at one place", () => {
  it("differ by their chain of types, whatever the types", () => {
    const types = fc.array(fc.constantFrom("Error", "TypeError", "FetchError", "HttpError"), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(types, types, (first, second) => {
        const chain = (names: string[]) => thrown(...names.map((type) => ({ type })));
        expect(chain(first) === chain(second)).toBe(first.join() === second.join());
      }),
    );
  });
});

describe("a message's template", () => {
  it("keeps words, including those made of hex digits only", () => {
    const text = "a facade was deadbeef and defaced, don't ask the user's friend";
    expect(messageTemplate(text)).toBe(text);
  });
});

/** Returns a name of letters only: numbers in names are replaced where they occur in files. */
function name(index: number): string {
  return `of${[...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("")}`;
}
