import { afterAll, describe, expect, it } from "vitest";
import { openBundleReader } from "../../../src/sources/artifacts/bundle-reader.ts";
import { InvalidBundle } from "../../../src/sources/artifacts/unpack-bundle.ts";
import { bundleOf } from "./bundle-of.ts";

const execArgv = ["--conditions=@whence/source"];
const reader = openBundleReader({ execArgv });
afterAll(() => reader.close());

describe("reading a bundle of built files", () => {
  it("returns its files with credentials masked", async () => {
    const { texts } = await reader.read(await bundleOf({ "~/a.js": 'const dbPassword = "correct-horse-7";' }));
    expect([...texts]).toEqual([["a.js", 'const dbPassword = "***************";']]);
  });

  it("says why one can't be read, and reads the next", async () => {
    await expect(reader.read(Buffer.alloc(10))).rejects.toThrow(InvalidBundle);
    expect([...(await reader.read(await bundleOf({ "~/b.js": "b" }))).texts.keys()]).toEqual(["b.js"]);
  });

  it("gives up on one that takes too long", async () => {
    const impatient = openBundleReader({ execArgv, processorMs: 0 });
    await expect(impatient.read(await bundleOf({ "~/a.js": "a" }))).rejects.toThrow(
      "the bundle takes too much time or memory to unpack: upload it in parts",
    );
    await impatient.close();
  });
});
