import type { LookupFunction } from "node:net";
import { stopWhenIdle } from "../process/idle-exit.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import { resolveName } from "../runtime/resolve-name.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** Calls {@link resolveName}, canceled when it takes too long or when the program has nothing else to do. */
export const cancelableLookup: LookupFunction = (host, options, callback) => {
  const dns: typeof import("node:dns") = loadBuiltin("node:dns");
  const fs: typeof import("node:fs") = loadBuiltin("node:fs");
  const resolver = resolveName(
    { dns, fs, serverTimeoutMs: sdkLimits.nameServerTimeoutMs },
    host,
    options,
    (...result) => {
      nativeTimers.clearTimeout(timer);
      endWatch();
      callback(...result);
    },
  );
  const giveUp = (): void => resolver?.cancel();
  const timer = nativeTimers.setTimeout(giveUp, sdkLimits.connectTimeoutMs);
  timer.unref();
  const endWatch = stopWhenIdle(giveUp);
};
