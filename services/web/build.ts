import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fingerprint } from "./fingerprint.ts";
import { precompress } from "./precompress.ts";

const folder = import.meta.dirname;
const dist = join(folder, "dist");
const stamp = join(dist, "built-from");

/** What the bundle is made from: when none of it has changed, neither has the bundle. */
const sources = [
  "package.json",
  "*.ts",
  "*.html",
  "src/**/*",
  "../../sdks/protocol/src/**/*.ts",
  "../../pnpm-lock.yaml",
];

const from = await fingerprint(folder, sources);
if ((await readFile(stamp, "utf8").catch(() => "")) === from) process.exit();

process.stdout.write("Building the page …\n");
// A running service serves what has the stamp, which goes with the old files once the new ones are ready.
const { build } = await import("vite");
await build({ root: folder, logLevel: "warn" });
await precompress(dist);
await writeFile(stamp, from);
