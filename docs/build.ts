import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fingerprint } from "../services/web/fingerprint.ts";
import { precompress } from "../services/web/precompress.ts";

const folder = import.meta.dirname;
const dist = join(folder, ".vitepress/dist");
const stamp = join(dist, "built-from");

/** The inputs of the site, which is rebuilt only when one of them has changed. */
const sources = [
  "*.{md,json,ts}",
  "{decisions,images,integrations,sdk,triggers}/**/*",
  ".vitepress/*.ts",
  ".vitepress/theme/*",
  "../*.md",
  "../sdks/*/README.md",
  "../services/web/src/icon.svg",
  "../pnpm-lock.yaml",
];

const from = await fingerprint(folder, sources);
if ((await readFile(stamp, "utf8").catch(() => "")) === from) process.exit();

process.stdout.write("Building the documentation …\n");
// A running service serves what has the stamp, which goes with the old files once the new ones are ready.
const { build } = await import("vitepress");
await build(folder, {});
await precompress(dist);
await writeFile(stamp, from);
process.stdout.write("The documentation is built.\n");
