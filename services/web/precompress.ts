import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The best quality takes two to four times as long, for files that are 2 to 3% smaller. */
const brotliQuality = 10;
const compressible = /\.(js|css|html|svg)$/;

/** Writes what a browser takes compressed beside each file of a folder, once here instead of at every request. */
export async function precompress(folder: string): Promise<void> {
  const files = globSync("**/*", { cwd: folder }).filter((file) => compressible.test(file));
  await Promise.all(files.map((file) => compress(join(folder, file))));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, quality),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
