import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FingerprintInput } from "../src/fingerprint-input.ts";
import { fingerprintV1 as fingerprint } from "../src/fingerprint-v1.ts";
import type { Exception, Frame } from "../src/telemetry.ts";

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

describe("a fingerprint of the first rule set", () => {
  it("is its version and 16 hex digits, whatever failed", () => {
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

  it("does not change from one version of this file to the next: stored ones mean what they meant", () => {
    expect(fingerprint(failure())).toBe("v1:30b16eeb1c381fd5");
    expect(logged("payment 12 failed")).toBe("v1:124aea02f0f6853d");
  });
});

describe("one failure", () => {
  it.each<[string, string]>([
    [
      "its lines moved",
      thrown({ frames: [frame("totalOf", { line: 99, column: 1 }), frame("checkout", { line: 7 })] }),
    ],
    ["its message names another value", thrown({ message: "Cannot read properties of null (reading 'price')" })],
    [
      "frames of the runtime stand between its own",
      thrown({
        frames: [frame("totalOf"), frame("next", { file: "node:internal", in_app: false }), frame("checkout")],
      }),
    ],
  ])("keeps its fingerprint when %s", (_what, made) => {
    expect(made).toBe(fingerprint(failure()));
  });

  it("keeps it when what called its first five frames differs", () => {
    const own = ["a", "b", "c", "d", "e"].map((name) => frame(name));
    expect(thrown({ frames: [...own, frame("route1")] })).toBe(thrown({ frames: [...own, frame("route2")] }));
    expect(thrown({ frames: own })).not.toBe(thrown({ frames: own.slice(0, 4) }));
  });

  it("keeps it when a bundle's name carries another hash", () => {
    const bundled = (hash: string) => thrown({ frames: [frame("totalOf", { file: `/srv/dist/chunk-${hash}.js` })] });
    expect(bundled("3f2e7c41ab")).toBe(bundled("9d0a5b6f7e"));
  });

  it("keeps it without frames when the printed lines move", () => {
    const printed = (line: number) =>
      thrown({ frames: [], stack: `TypeError: x\n    at totalOf (/srv/total.js:${line}:31)` });
    expect(printed(12)).toBe(printed(340));
  });

  it.each([
    ["a number", "order 31 failed", "order 7 failed"],
    [
      "a UUID",
      "order 019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01 failed",
      "order 5b6f7e8d-9c01-4c41-8d0a-019aa5c03f2e failed",
    ],
    ["a hash", "blob 9f86d081884c7d65 is missing", "blob 60303ae22b998861 is missing"],
    ["an address", "at 0x7ffee4 it broke", "at 0x1 it broke"],
    ["a time", "timed out at 2026-03-01T12:00:00Z", "timed out at 2027-11-30T01:02:03Z"],
  ])("of a log keeps it when %s in the message differs", (_what, first, second) => {
    expect(logged(first)).toBe(logged(second));
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

  it("without any place differ by what they say", () => {
    const placeless = (message: string) => thrown({ frames: [], stack: "", message });
    expect(placeless("disk is full")).not.toBe(placeless("disk is slow"));
    expect(placeless("disk 1 is full")).toBe(placeless("disk 2 is full"));
  });

  it("of a log differ by what it says", () => {
    expect(logged("payment failed")).not.toBe(logged("refund failed"));
  });

  it("rarely meet: none of 20,000 names does", () => {
    const made = new Set(Array.from({ length: 20_000 }, (_, index) => thrown({ frames: [frame(name(index))] })));
    expect(made.size).toBe(20_000);
  });

  it("of one place differ by the chain of types, whatever types those are", () => {
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

/** Letters only: numbers in names are replaced where they stand in files. */
function name(index: number): string {
  return [...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");
}
