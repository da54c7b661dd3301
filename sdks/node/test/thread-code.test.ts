import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { isReceipt } from "../src/delivery/batch-answer.ts";
import { speakLastWords } from "../src/delivery/dying-process-worker.ts";
import { locateMainThread } from "../src/process/hang-place.ts";
import { watchForHangs } from "../src/process/hang-watch-worker.ts";
import { resolveName } from "../src/runtime/resolve-name.ts";

describe("a function that a thread is given as text", () => {
  it.each([speakLastWords, watchForHangs, locateMainThread, resolveName, isReceipt])(
    "calls nothing that bundlers put beside it (%o)",
    async (given) => {
      const { code } = await transform(`(${given})`, { keepNames: true });
      // Once, for the function itself, which is outside of its text.
      expect(code.match(/__name\(/g)).toHaveLength(1);
    },
  );
});
