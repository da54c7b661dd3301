import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** What a browser may ask for, best first, and how the build names it. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** A file as it is sent. */
export interface BundledFile {
  readonly type: string;
  readonly etag: string;
  readonly content: Buffer;
  /** By the name of the encoding, the best first. */
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/** What was built for browsers, in memory: a few megabytes. By path, such as `/assets/index-1a2b.js`. */
export type WebBundle = ReadonlyMap<string, BundledFile>;

/** Reads what the build left in a folder; null when nothing was built there. */
export function readWebBundle(folder: string): WebBundle | null {
  const present = new Set(globSync("**/*.*", { cwd: folder }));
  if (!present.has("index.html")) return null;
  const files = [...present].filter((file) => types[extname(file)] !== undefined);
  return new Map(files.map((file) => [`/${file.replaceAll("\\", "/")}`, readFile(folder, file, present)]));
}

function readFile(folder: string, file: string, present: ReadonlySet<string>): BundledFile {
  const content = readFileSync(join(folder, file));
  const encoded = encodings.flatMap(([name, ending]): [string, Buffer][] =>
    present.has(file + ending) ? [[name, readFileSync(join(folder, file + ending))]] : [],
  );
  const digest = createHash("sha256").update(content).digest("base64url");
  return { type: types[extname(file)] ?? "", etag: `"${digest}"`, content, encoded: new Map(encoded) };
}
