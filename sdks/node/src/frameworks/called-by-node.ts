import { callSites } from "../runtime/call-sites.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** The code of Node that calls timers and listeners. It catches nothing. */
const callsAndCatchesNothing = /^node:(internal\/timers|events)$/;

/** Whether Node itself, by a timer or an event, called the running `callee`: no code would catch what it throws. */
export function isCalledByNode(callee: (...args: never[]) => unknown): boolean {
  const files = callSites(callee, sdkLimits.nodeCallersMax).map((call) => call.getFileName() ?? "");
  const [caller = ""] = files;
  if (files.length === sdkLimits.nodeCallersMax || !callsAndCatchesNothing.test(caller)) return false;
  return files.every((file) => file.startsWith("node:"));
}
