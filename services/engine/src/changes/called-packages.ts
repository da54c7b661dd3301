import type { LocatedFrame } from "../findings/located-frame.ts";
import { isInstalledName } from "../source/installed-package.ts";

/** How the names of a third-party module come into a file: the names, and the module. */
const imports: readonly { readonly pattern: RegExp; readonly module: number; readonly names: number }[] = [
  { pattern: /^[ \t]*import\s([^;"'=()]{1,400}?)\sfrom\s*["']([^"'\n]{1,200})["']/gm, names: 1, module: 2 },
  {
    pattern: /(?:const|let|var)\s([^=;()]{1,400}?)\s?=\s?(?:await import|require)\(["']([^"'\n]{1,200})["']\)/g,
    names: 1,
    module: 2,
  },
  { pattern: /^from\s+([\w.]{1,200})\s+import\s+([^\n#]{1,400})/gm, names: 2, module: 1 },
  { pattern: /^import\s+([\w.]{1,200})(?:\s+as\s+(\w{1,100}))?\s*$/gm, names: 2, module: 1 },
];

/**
 * Returns the third-party packages, in lowercase, whose names occur in the failing line, which is the innermost line of
 * the service's own code on the stack. A package whose function no longer exists isn't on the stack itself.
 */
export function calledPackages(frames: readonly LocatedFrame[]): ReadonlySet<string> {
  const place = frames.find(({ file, place }) => place !== null && !isInstalledName(file))?.place;
  if (!place) return new Set();
  const used = new Set(place.source.line(place.line).match(/[\w$]+/g));
  const called = imports.flatMap(({ pattern, names, module }) =>
    [...place.source.text.matchAll(pattern)].flatMap((match) => {
      const from = match[module] ?? "";
      const local = (match[names] ?? from).match(/[\w$]+/g) ?? [];
      return !/^(?:[./]|node:)/.test(from) && local.some((name) => used.has(name)) ? [packageName(from)] : [];
    }),
  );
  return new Set(called.map((name) => name.toLowerCase()));
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
