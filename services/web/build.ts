import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

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
const compressible = /\.(js|css|html|svg)$/;

const from = await fingerprint();
if ((await readFile(stamp, "utf8").catch(() => "")) === from) process.exit();

const { build } = await import("vite");
await build({ root: folder, logLevel: "warn" });
await Promise.all(
  globSync("**/*", { cwd: dist })
    .filter((file) => compressible.test(file))
    .map(compress),
);
await writeFile(stamp, from);

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const files = globSync(sources, { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files.sort((a, b) => (path(a) < path(b) ? -1 : 1))) {
    hash.update(`\0${name}\0`);
    hash.update(await readFile(join(parentPath, name)));
  }
  return hash.digest("hex");
}

function path({ parentPath, name }: { readonly parentPath: string; readonly name: string }): string {
  return join(parentPath, name);
}

/** Once here instead of at every request. */
async function compress(file: string): Promise<void> {
  const content = await readFile(join(dist, file));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, quality),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(join(dist, `${file}.br`), brotli), writeFile(join(dist, `${file}.gz`), gzipped)]);
}
