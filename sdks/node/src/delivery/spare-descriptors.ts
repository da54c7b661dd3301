import { closeSync, fstatSync, openSync } from "node:fs";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";

/**
 * File descriptors reserved for a crash: to report one caused by too many open files, the client must still start a
 * thread, open a socket, and read files. All threads of a process share one table, so only the main thread reserves
 * some.
 */
export class SpareDescriptors {
  #held: number[] = [];

  /** Opens them after startup, when loading modules would need descriptors. Returns a function that releases them. */
  hold(): () => void {
    const holding = nativeTimers.setTimeout(() => this.#open(), sdkLimits.spareDescriptorsAfterMs).unref();
    return () => {
      nativeTimers.clearTimeout(holding);
      this.release();
    };
  }

  /** Releases them for use, when the process ends. */
  release(): void {
    for (const descriptor of this.#held.splice(0)) {
      try {
        // Some programs close every open descriptor; the number may then belong to a file of theirs.
        if (fstatSync(descriptor).isCharacterDevice()) closeSync(descriptor);
      } catch {
        // Closed by the program.
      }
    }
  }

  /** Opens all or none: a program without free descriptors keeps its own. */
  #open(): void {
    try {
      const { isMainThread }: typeof import("node:worker_threads") = loadBuiltin("node:worker_threads");
      if (!isMainThread) return;
      const { devNull }: typeof import("node:os") = loadBuiltin("node:os");
      while (this.#held.length < sdkLimits.spareDescriptors) this.#held.push(openSync(devNull, "r"));
    } catch {
      // No descriptors left, or Node can't load its own modules, as when the program has frozen `process`.
      this.release();
    }
  }
}
