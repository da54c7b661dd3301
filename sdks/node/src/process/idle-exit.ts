import { nativeTimers } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** Matches the resource name of a connection attempt in all versions of Node. */
const connecting = /^(?:TCP)?ConnectWrap$/;

/**
 * Calls `stop` when the program has nothing else to do. Unlike a socket or a timer, the client's attempt to connect or
 * to resolve a name can't be unreferenced, and would keep the process alive. Returns a function that ends the watch.
 */
export function stopWhenIdle(stop: () => void): () => void {
  const timer = nativeTimers.setInterval(() => {
    if (!hasOtherWork()) stop();
  }, sdkLimits.idleCheckIntervalMs);
  timer.unref();
  return () => nativeTimers.clearInterval(timer);
}

/** Whether anything but one attempt to connect keeps the event loop alive. Misses work that Node doesn't list. */
function hasOtherWork(): boolean {
  const resources = process.getActiveResourcesInfo();
  const attempts = resources.filter((name) => connecting.test(name)).length;
  return resources.length - Math.min(attempts, 1) > idleOutputs();
}

/** Returns the number of output streams, which Node lists although they keep nothing alive. */
function idleOutputs(): number {
  const list: unknown = Reflect.get(process, "_getActiveHandles");
  const handles: unknown = typeof list === "function" ? Reflect.apply(list, process, []) : [];
  if (!Array.isArray(handles)) return 0;
  return handles.filter((handle: unknown) => Reflect.get(Object(handle), "_isStdio") === true).length;
}
