import { TraceMap } from "@jridgewell/trace-mapping";
import type { Frame, TelemetryEvent } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { BuiltFiles } from "../../../src/sources/artifacts/built-files.ts";
import { builtPath, originalPath } from "../../../src/sources/artifacts/built-paths.ts";
import { withOriginalFrames } from "../../../src/sources/artifacts/original-frames.ts";

const wanted = { scopeId: "org", service: "shop", release: "1" };

/** `a(){b()}` of `webpack://shop/./src/cart.ts`, whose `totalOf` was called at column 4. */
const map = {
  version: 3,
  sources: ["webpack://shop/./src/cart.ts", "../node_modules/lib/index.js"],
  names: ["totalOf"],
  // Column 0: cart.ts 1:0; column 4: cart.ts 3:2, named; column 8: lib 1:0.
  mappings: "AAAA,IAEEA,ICFF",
};
const texts = new Map([["src/cart.ts", "one\ntwo\n  totalOf({});\nfour"]]);

const built = (file = "https://shop.example/static/shop.js"): BuiltFiles => ({
  open: async () => ({
    find: async (asked) =>
      asked === file
        ? {
            ...{ map: new TraceMap(JSON.stringify(map)), path: "static/shop.js" },
            original: async (path) => texts.get(path) ?? null,
          }
        : null,
  }),
});

const event = (frames: readonly Frame[]): TelemetryEvent => ({
  ...{ id: "0a7b4b8c-6cc7-41f7-99d3-47f264f3cce3", seq: 1, type: "exception", timestamp: "2026-03-01T12:00:00.000Z" },
  ...{ level: "error", message: "boom", mechanism: { type: "onerror", handled: false } },
  exceptions: [{ type: "TypeError", message: "boom", stack: "TypeError: boom\n    at a", frames: [...frames] }],
});

const call = (column: number, fields: Frame = {}): Frame => ({
  ...{ file: "https://shop.example/static/shop.js", function: "a", line: 1, column, in_app: true },
  ...fields,
});

const mapped = async (frames: readonly Frame[], files = built()) => {
  const [exception] = (await withOriginalFrames(event(frames), wanted, files)).exceptions ?? [];
  return exception;
};

describe("a call in a built file", () => {
  it("is at its original place, with the lines around it and where it was", async () => {
    const exception = await mapped([call(5)]);
    expect(exception?.frames).toEqual([
      {
        ...{ file: "src/cart.ts", line: 3, column: 3, in_app: true },
        generated: { file: "https://shop.example/static/shop.js", line: 1, column: 5 },
        context: { start_line: 1, lines: ["one", "two", "  totalOf({});", "four"] },
      },
    ]);
    expect(exception?.stack).toBe("TypeError: boom\n    at src/cart.ts:3:3");
  });

  it("has the function that its caller names, or else its own name, unless that is a minifier's", async () => {
    const exception = await mapped([call(1), call(5, { function: "onClick" }), call(1, { function: "e" })]);
    expect(exception?.frames?.map((frame) => frame.function)).toEqual(["totalOf", "onClick", undefined]);
    expect(exception?.stack.split("\n").slice(1)).toEqual([
      "    at totalOf (src/cart.ts:1:1)",
      "    at onClick (src/cart.ts:3:3)",
      "    at src/cart.ts:1:1",
    ]);
  });

  it.each(["app:///main.jsbundle", "app:///index.android.bundle"])(
    "of React Native is at its original place: %s",
    async (file) => {
      const exception = await mapped([call(5, { file })], built(file));
      expect(exception?.frames).toMatchObject([{ file: "src/cart.ts", line: 3, generated: { file } }]);
    },
  );

  it("of an installed package isn't the program's own", async () => {
    expect((await mapped([call(9)]))?.frames).toMatchObject([{ file: "node_modules/lib/index.js", in_app: false }]);
  });

  it.each<[string, Frame[]]>([
    ["no map leads to its file", [call(5, { file: "https://shop.example/other.js" })]],
    ["it has no column", [{ file: "https://shop.example/static/shop.js", line: 1 }]],
    ["its client mapped it", [call(5, { generated: { file: "shop.js" } })]],
    ["it isn't JavaScript", [call(5, { file: "/srv/shop.py" })]],
  ])("stays as it is when %s", async (_, frames) => {
    expect(await withOriginalFrames(event(frames), wanted, built())).toEqual(event(frames));
  });
});

describe("the path of a file", () => {
  it.each([
    ["~/static/shop.js", "static/shop.js"],
    ["https://shop.example/static/shop.js?v=3#x", "static/shop.js"],
    ["app:///main.jsbundle", "main.jsbundle"],
    ["~/../../etc/shop.js", "etc/shop.js"],
  ])("%s is %s", (url, path) => expect(builtPath(url)).toBe(path));

  it.each([
    ["../src/cart.ts", "src/cart.ts"],
    ["../../../src/cart.ts", "src/cart.ts"],
    ["webpack://shop/./src/cart.ts?1a2b", "src/cart.ts"],
    ["webpack:///src/cart.ts", "src/cart.ts"],
    ["cart.ts", "static/cart.ts"],
  ])("%s in the map of static/shop.js is %s", (name, path) => expect(originalPath("static/shop.js", name)).toBe(path));
});
