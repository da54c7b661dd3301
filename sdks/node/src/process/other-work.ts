import { ownTimers } from "../runtime/own-time.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** An attempt to connect, as Node's versions call it. */
const connecting = /^(?:TCP)?ConnectWrap$/;

/**
 * Calls `stop` when the program has nothing else to do: what the client has under way, an attempt to connect or to
 * resolve a name, can't be unreferenced as a socket or a timer can, and would keep the process alive. What it returns
 * ends the watch.
 */
export function whenNothingElseIsLeft(stop: () => void): () => void {
  const timer = ownTimers.setInterval(() => {
    if (!hasOtherWork()) stop();
  }, sdkLimits.idleCheckIntervalMs);
  timer.unref();
  return () => ownTimers.clearInterval(timer);
}

/** Whether anything keeps the event loop but one attempt to connect. Work that Node doesn't list is not seen. */
function hasOtherWork(): boolean {
  const resources = process.getActiveResourcesInfo();
  const attempts = resources.filter((name) => connecting.test(name)).length;
  return resources.length - Math.min(attempts, 1) > idleOutputs();
}

/** The program's own output streams are listed, though they keep nothing alive. */
function idleOutputs(): number {
  const list: unknown = Reflect.get(process, "_getActiveHandles");
  const handles: unknown = typeof list === "function" ? Reflect.apply(list, process, []) : [];
  if (!Array.isArray(handles)) return 0;
  return handles.filter((handle: unknown) => Reflect.get(Object(handle), "_isStdio") === true).length;
}
