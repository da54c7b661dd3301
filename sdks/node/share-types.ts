// Run after tsup. Makes the types of the ES modules refer to the identical ones of CommonJS, so that the package
// contains them once.
import { readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const folder = join(import.meta.dirname, "dist");
const names = await readdir(folder, { recursive: true });
const entries = new Set(names.filter((name) => name.endsWith(".js")).map((name) => name.slice(0, -".js".length)));
for (const name of names) {
  if (!name.endsWith(".d.ts")) continue;
  const entry = name.slice(0, -".d.ts".length);
  const file = join(folder, name);
  if (entries.has(entry)) await writeFile(file, `export * from "./${basename(entry)}.cjs";\n`);
  // A shared chunk, which only other ES module types referred to.
  else await rm(file);
}
