import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyLineEdits } from "../../rca/corpora/case-files.ts";
import type { LaidOut } from "./lay-out.ts";
import type { PackageMistake } from "./tested-package.ts";

/** Calls back while a mistake is in the package's tree. */
export async function withMistake<T>(
  { folder }: LaidOut,
  { edits }: PackageMistake,
  work: () => Promise<T>,
): Promise<T> {
  // A run that was killed has left its mistake.
  restore(folder);
  const files = [...new Set(edits.map(({ file }) => file))];
  keep(folder, files);
  try {
    for (const file of files) {
      const path = join(folder, file);
      const own = edits.filter((edit) => edit.file === file);
      writeFileSync(path, applyLineEdits(readFileSync(path, "utf8"), own));
    }
    return await work();
  } finally {
    restore(folder);
  }
}

function keep(folder: string, files: readonly string[]): void {
  const kept = keptOf(folder);
  const partial = `${kept}.partial`;
  rmSync(partial, { recursive: true, force: true });
  for (const file of files) {
    mkdirSync(dirname(join(partial, file)), { recursive: true });
    cpSync(join(folder, file), join(partial, file));
  }
  renameSync(partial, kept);
}

/** Puts back the files without a mistake, if there is one. */
function restore(folder: string): void {
  const kept = keptOf(folder);
  if (!existsSync(kept)) return;
  cpSync(kept, folder, { recursive: true });
  rmSync(kept, { recursive: true });
}

function keptOf(folder: string): string {
  return `${folder}.without-mistake`;
}
