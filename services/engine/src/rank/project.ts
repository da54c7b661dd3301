import type { LocatedFrame } from "../findings/located-frame.ts";
import { packageOf } from "../source/installed-package.ts";

/** The code that the failure is about: what somebody calls "our code". */
export interface Project {
  /** Whether the given code is a package, and the stack is from an installation of it. */
  readonly isReported: boolean;
  has(file: string): boolean;
}

/**
 * Returns the project among the files on a stack. If a frame of an installed package is in a file that was given as a project's
 * own, it is that package: its users report traces in which their own programs aren't what is asked about. Otherwise it is
 * the application, or every package when nothing else is on the stack.
 */
export function projectOf(frames: readonly LocatedFrame[], given: readonly string[]): Project {
  const own = new Set(given.filter((name) => packageOf(name) === ""));
  const isReported = frames.some(({ file, frame }) => frame.origin === "dependency" && own.has(file));
  if (isReported) return { isReported, has: (file) => own.has(file) };
  const app = new Set(
    frames.filter(({ file, frame }) => frame.origin === "app" && packageOf(file) === "").map(({ file }) => file),
  );
  const all = new Set(frames.map(({ file }) => file));
  const onStack = app.size > 0 ? app : all;
  return { isReported, has: (file) => onStack.has(file) || own.has(file) };
}
