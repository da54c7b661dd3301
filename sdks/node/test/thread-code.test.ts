import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { isAccepted } from "../src/delivery/batch-response.ts";
import { sendFinalBatches } from "../src/delivery/dying-process-worker.ts";
import { watchForHangs } from "../src/process/hang-watch-worker.ts";
import { readMainThreadStack } from "../src/process/main-thread-stack.ts";
import { resolveName } from "../src/runtime/resolve-name.ts";

describe("a function passed to a thread as text", () => {
  it.each([sendFinalBatches, watchForHangs, readMainThreadStack, resolveName, isAccepted])(
    "calls no helper that bundlers add (%o)",
    async (given) => {
      const { code } = await transform(`(${given})`, { keepNames: true });
      // Once, for the function itself, outside of its text.
      expect(code.match(/__name\(/g)).toHaveLength(1);
    },
  );
});
