import { closeSync, fstatSync, openSync } from "node:fs";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";

/**
 * File descriptors reserved for a crash: to report a crash caused by too many open files, the client must still start a
 * thread, open a socket and read files. All threads of a process share one table, so only the main thread reserves
 * some.
 */
export class SpareDescriptors {
  #held: number[] = [];

  /** Takes them once the start is over, in which loading what it takes would count. What it returns gives them back. */
  hold(): () => void {
    const holding = nativeTimers.setTimeout(() => this.#open(), sdkLimits.spareDescriptorsAfterMs).unref();
    return () => {
      nativeTimers.clearTimeout(holding);
      this.release();
    };
  }

  /** Gives them back: the process ends, and from now on they are needed. */
  release(): void {
    for (const descriptor of this.#held.splice(0)) {
      try {
        // Some programs close all that they find open: then the number may be that of a file of theirs.
        if (fstatSync(descriptor).isCharacterDevice()) closeSync(descriptor);
      } catch {
        // Closed by the program.
      }
    }
  }

  /** All or none: a program that has none left keeps its own. */
  #open(): void {
    try {
      const { isMainThread }: typeof import("node:worker_threads") = loadBuiltin("node:worker_threads");
      if (!isMainThread) return;
      const { devNull }: typeof import("node:os") = loadBuiltin("node:os");
      while (this.#held.length < sdkLimits.spareDescriptors) this.#held.push(openSync(devNull, "r"));
    } catch {
      // No more of them, or Node can't load its own modules, as where the program has frozen `process`.
      this.release();
    }
  }
}
