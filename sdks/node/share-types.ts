// Run after tsup: the types of ES modules name those of CommonJS, which are the same, so that a package holds them once.
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
  // What entries share, which only the others of its kind named.
  else await rm(file);
}
