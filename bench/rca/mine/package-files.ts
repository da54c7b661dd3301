import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const codeBytesMax = 600_000;

/** Returns every file of an unpacked package, sorted, relative to it. */
export function packageFiles(folder: string): string[] {
  const names = globSync("**/*", { cwd: folder, exclude: (name) => name === "node_modules" || name === ".git" });
  return names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()).sort();
}

/** Files that differ between both versions, and files that only the newer one has. */
export interface Difference {
  readonly changed: readonly string[];
  readonly added: readonly string[];
}

/** Compares the files selected by `wanted` in two unpacked versions, ignoring whitespace. */
export function difference(older: string, newer: string, wanted: (file: string) => boolean): Difference {
  const before = new Set(packageFiles(older));
  const after = packageFiles(newer).filter(wanted);
  const differs = (file: string): boolean => squeezed(older, file) !== squeezed(newer, file);
  return {
    changed: after.filter((file) => before.has(file) && differs(file)),
    added: after.filter((file) => !before.has(file)),
  };
}

function squeezed(folder: string, file: string): string {
  const path = join(folder, file);
  return statSync(path).size > codeBytesMax ? "" : readFileSync(path, "latin1").replace(/\s+/g, " ");
}

/** Returns the repository in an address as `owner/name`, in lower case; undefined when it contains none. */
export function repositoryIn(url: string): string | undefined {
  const match = /(?:^|[/:@])([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:[#/].*)?$/.exec(url.replace(/^.*github\.com[/:]/, ""));
  return match === null ? undefined : `${match[1]}/${match[2]}`.toLowerCase();
}
