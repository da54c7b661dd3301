import { describe, expect, it } from "vitest";
import { endsOf, type Files, ofKind, traced } from "../signals-in.ts";

const aborted = "TimeoutError: The operation was aborted due to timeout\n";
const found = async (files: Files, log = aborted) => ofKind((await traced(log, files)).signals, "time-limit");

describe("an error of a timer, which has no calls", () => {
  it.each([
    ["const signal = AbortSignal.timeout(limit);", "limit"],
    ["setTimeout(() => controller.abort(), limits.search);", "limits.search"],
    ["const timer = setTimeout(function () { reject(new Late()); }, 50);", "50"],
    ["client.get(path, { timeout: 50 });", null],
    ["setTimeout(retry, 50);", null],
  ])("leads to what sets the limit: %s", async (text, limit) => {
    const expected = limit === null ? [] : [{ line: 1, args: expect.objectContaining({ limit }) }];
    expect(await found({ "client.js": text })).toEqual(expected);
  });

  it.each([
    ["async with asyncio.timeout(limit):\n    await send()\n", "limit"],
    ["await asyncio.wait_for(send(), seconds)\n", "seconds"],
    ["requests.get(url, timeout=limits.read)\n", "limits.read"],
  ])("leads to what sets the limit in Python: %s", async (text, limit) => {
    const log = "asyncio.exceptions.TimeoutError: timed out\n";
    expect(await found({ "client.py": text }, log)).toEqual([{ line: 1, args: expect.objectContaining({ limit }) }]);
  });

  it("leads on to where the limit comes from", async () => {
    const files = {
      "client.js":
        'import { limits } from "./limits.js";\nfetch(url, { signal: AbortSignal.timeout(limits.search) });\n',
      "limits.js": "export const limits = {\n  search: 30,\n};\n",
    };
    expect(endsOf((await traced(aborted, files)).signals)).toEqual(["literal limits.js:2"]);
  });

  it("doesn't accuse one of many", async () => {
    const text = Array.from({ length: 4 }, (_, at) => `AbortSignal.timeout(limit${at});\n`).join("");
    expect(await found({ "client.js": text })).toEqual([]);
  });

  it("isn't one that the program throws itself", async () => {
    const log = `${aborted}    at send (/srv/client.js:1:7)\n`;
    expect(await found({ "client.js": "AbortSignal.timeout(limit);\n" }, log)).toEqual([]);
  });
});
