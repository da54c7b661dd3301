import { statSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns a function that gives the build output in a folder as `read` opened it, null while there is none. The output
 * is opened again after each build: `built-from` goes with the old files, and is written last.
 */
export function latestBuild<Output>(folder: string, read: (folder: string) => Output): () => Output | null {
  let last: { readonly builtMs: number; readonly output: Output } | undefined;
  return () => {
    const built = statSync(join(folder, "built-from"), { throwIfNoEntry: false });
    if (!built) return null;
    if (last?.builtMs !== built.mtimeMs) last = { builtMs: built.mtimeMs, output: read(folder) };
    return last.output;
  };
}
