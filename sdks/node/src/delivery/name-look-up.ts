import type { LookupFunction } from "node:net";
import { whenNothingElseIsLeft } from "../process/other-work.ts";
import { loadWhenNeeded } from "../runtime/load-when-needed.ts";
import { ownTimers } from "../runtime/own-time.ts";
import { resolveName } from "../runtime/resolve-name.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** {@link resolveName}, given up when it takes too long, or when the program has nothing else to do. */
export const lookUp: LookupFunction = (host, options, callback) => {
  const dns: typeof import("node:dns") = loadWhenNeeded("node:dns");
  const fs: typeof import("node:fs") = loadWhenNeeded("node:fs");
  const resolver = resolveName(
    { dns, fs, serverTimeoutMs: sdkLimits.nameServerTimeoutMs },
    host,
    options,
    (...result) => {
      ownTimers.clearTimeout(timer);
      endWatch();
      callback(...result);
    },
  );
  const giveUp = (): void => resolver?.cancel();
  const timer = ownTimers.setTimeout(giveUp, sdkLimits.connectTimeoutMs);
  timer.unref();
  const endWatch = whenNothingElseIsLeft(giveUp);
};
