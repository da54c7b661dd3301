import { posix } from "node:path";
import { programFileKind } from "@whence/protocol";

/**
 * Returns whether a file may be read, by its path from the root: code, the data, settings, and dependencies that belong
 * to it, and source maps, but no hidden files (`.env`, `.git`), keys, certificates, or anything above the root.
 */
export function isReadable(path: string): boolean {
  if (/[\0\\]/.test(path) || posix.isAbsolute(path)) return false;
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "..")) return false;
  const shown = segments.filter((_segment, at) => !isPnpmStore(segments, at));
  if (path.endsWith(".map")) return shown.every((segment) => !segment.startsWith("."));
  return programFileKind(shown.join("/")) !== null;
}

/** pnpm keeps installed packages in a hidden folder. */
function isPnpmStore(segments: readonly string[], at: number): boolean {
  return segments[at] === ".pnpm" && segments[at - 1] === "node_modules";
}
