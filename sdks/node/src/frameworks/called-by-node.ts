import { callSites } from "../runtime/call-sites.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** Matches Node's code that calls timers and listeners, and catches nothing. */
const callsAndCatchesNothing = /^node:(internal\/timers|events)$/;

/**
 * Whether Node itself, by a timer or an event, called the running `callee`, so that no code would catch what it throws.
 */
export function isCalledByNode(callee: (...args: never[]) => unknown): boolean {
  const files = callSites(callee, sdkLimits.nodeCallersMax).map((call) => call.getFileName() ?? "");
  const [caller = ""] = files;
  if (files.length === sdkLimits.nodeCallersMax || !callsAndCatchesNothing.test(caller)) return false;
  return files.every((file) => file.startsWith("node:"));
}
