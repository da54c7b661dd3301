import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** What a browser may ask for, best first, and how the build names it. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** A file of the application as it is sent. */
export interface BundledFile {
  readonly type: string;
  readonly etag: string;
  readonly content: Buffer;
  /** By the name of the encoding, the best first. */
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/** The built application, in memory: a few megabytes. By path, such as `/assets/index-1a2b.js`. */
export type WebBundle = ReadonlyMap<string, BundledFile>;

/** Reads what the build left in a folder; null when nothing was built there. */
export function readWebBundle(folder: string): WebBundle | null {
  const files = globSync("**/*.*", { cwd: folder }).filter((file) => types[extname(file)] !== undefined);
  if (!files.includes("index.html")) return null;
  return new Map(files.map((file) => [`/${file.replaceAll("\\", "/")}`, readFile(folder, file)]));
}

function readFile(folder: string, file: string): BundledFile {
  const content = readFileSync(join(folder, file));
  const present = new Set(globSync(`${file}.*`, { cwd: folder }));
  const encoded = encodings.flatMap(([name, ending]): [string, Buffer][] =>
    present.has(file + ending) ? [[name, readFileSync(join(folder, file + ending))]] : [],
  );
  const digest = createHash("sha256").update(content).digest("base64url");
  return { type: types[extname(file)] ?? "", etag: `"${digest}"`, content, encoded: new Map(encoded) };
}
