import { readFileSync } from "node:fs";

/**
 * Address space for another thread: V8 reserves room for its code and its heap (measured: 331 MiB in Node 18, 909 in
 * 20, 1,036 in 26), and ends the process when it doesn't get it.
 */
const threadBytes = 1_342_177_280;

/**
 * Whether the process may start another thread: a bounded address space (`ulimit -v`, as in batch systems) may have no
 * room for one. Takes about 0.1 ms on Linux; elsewhere no bound is known.
 */
export function hasRoomForThread(): boolean {
  try {
    const [, boundBytes] = /^Max address space +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    if (boundBytes === undefined) return true;
    const [, takenKilobytes] = /^VmSize:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(boundBytes) - Number(takenKilobytes) * 1_024 >= threadBytes;
  } catch {
    // Not Linux, or the file can't be read.
    return true;
  }
}
