import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { isAccepted } from "../src/delivery/batch-response.ts";
import { sendFinalBatches } from "../src/delivery/dying-process-worker.ts";
import { watchForHangs } from "../src/process/hang-watch-worker.ts";
import { readMainThreadStack } from "../src/process/main-thread-stack.ts";
import { resolveName } from "../src/runtime/resolve-name.ts";

describe("a function that a thread is given as text", () => {
  it.each([sendFinalBatches, watchForHangs, readMainThreadStack, resolveName, isAccepted])(
    "calls nothing that bundlers put beside it (%o)",
    async (given) => {
      const { code } = await transform(`(${given})`, { keepNames: true });
      // Once, for the function itself, which is outside of its text.
      expect(code.match(/__name\(/g)).toHaveLength(1);
    },
  );
});
