import type { Instrumentation } from "./instrumentation.ts";

/** The end of the process by `process.exit` or because nothing is left to do. */
export const processExit: Instrumentation = {
  name: "process-exit",
  start(client) {
    const observe = client.guard((code: number) => client.exit(code), undefined);
    process.on("exit", observe);
    return () => {
      process.off("exit", observe);
    };
  },
};
