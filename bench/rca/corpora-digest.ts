import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folders of the cases that train the model. Published packages are fetched at the versions that the cases name. */
const folders = ["cases", "installed", "corpora/mined", "corpora/mutants", "corpora/remote"];
/** Where the stacks are that people pasted; they and their code are in clones. */
const addresses = "pasted/development.jsonl";

/** SHA-256 of the names and contents of all cases that train, in hexadecimal digits. */
export function corporaDigest(): string {
  const digest = createHash("sha256");
  for (const folder of folders) {
    const path = join(import.meta.dirname, folder);
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map((file) => join(file.parentPath, file.name).slice(path.length + 1)).sort();
    for (const name of names)
      digest
        .update(`${folder}/${name}\0`)
        .update(readFileSync(join(path, name)))
        .update("\0");
  }
  return digest.update(readFileSync(join(import.meta.dirname, addresses))).digest("hex");
}
