import { isInstalledName } from "../source/installed-package.ts";
import type { Traced } from "../trace/traced.ts";

/** Modules of the project itself, and of the runtime. */
const own = /^(?:[./]|node:)/;

/**
 * Returns the third-party packages, in lowercase, whose names occur in the failing line, which is the innermost line of
 * the service's own code on the stack. A package whose function no longer exists isn't on the stack itself.
 */
export function calledPackages({ frames, files }: Pick<Traced, "frames" | "files">): ReadonlySet<string> {
  const place = frames.find(({ file, place }) => place !== null && !isInstalledName(file))?.place;
  const code = place && files.find(({ source }) => source === place.source);
  const modules = code?.modules(place?.line ?? 0) ?? [];
  return new Set(modules.flatMap((module) => (own.test(module) ? [] : packageName(module).toLowerCase())));
}

/** Returns the package of a module: `@acme/money` of `@acme/money/format`, `google` of `google.auth`. */
export function packageName(module: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
}

/** Returns whether a package may have removed what its users call: another major version, or another minor one of 0. */
export function isMajor(from: string | null, to: string | null): boolean {
  const [before, after] = [from, to].map((version) => /(\d+)(?:\.(\d+))?/.exec(version ?? ""));
  if (!before || !after) return false;
  return before[1] !== after[1] || (before[1] === "0" && before[2] !== after[2]);
}
