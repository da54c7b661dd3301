import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyLineEdits } from "../../rca/corpora/case-files.ts";
import type { LaidOut } from "./lay-out.ts";
import type { PackageMistake } from "./tested-package.ts";

/** Calls back while a mistake is in the package's tree. */
export async function withMistake<T>(
  { folder }: LaidOut,
  { edits }: PackageMistake,
  work: () => Promise<T>,
): Promise<T> {
  const files = [...new Set(edits.map(({ file }) => file))];
  const texts = files.map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
  try {
    for (const [file, text] of texts) {
      const own = edits.filter((edit) => edit.file === file);
      writeFileSync(join(folder, file), applyLineEdits(text, own));
    }
    return await work();
  } finally {
    for (const [file, text] of texts) writeFileSync(join(folder, file), text);
  }
}
