import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** The encodings that a browser may accept, best first, and their file extensions in the build. */
const endings: ReadonlyMap<string, string> = new Map([
  ["br", ".br"],
  ["gzip", ".gz"],
]);

/** A file to send, read on request, because most of the site's megabytes are rarely requested. */
export interface BundledFile {
  readonly type: string;
  /** The available encodings, the best first. */
  readonly encodings: readonly string[];
  /** Reads the content, in one of the encodings if named. */
  read(encoding?: string): Promise<Buffer>;
  /** Returns the ETag of the content, which is the same in all encodings. */
  etag(): Promise<string>;
}

/** The files built for browsers, by path, such as `/assets/index-1a2b.js`. */
export type WebBundle = ReadonlyMap<string, BundledFile>;

/** Opens the build output in a folder. */
export function openWebBundle(folder: string): WebBundle {
  const present = new Set(globSync("**/*.*", { cwd: folder }));
  const files = [...present].filter((file) => types[extname(file)] !== undefined);
  return new Map(files.map((file) => [`/${file.replaceAll("\\", "/")}`, fileOf(folder, file, present)]));
}

function fileOf(folder: string, file: string, present: ReadonlySet<string>): BundledFile {
  const read: BundledFile["read"] = (encoding) => readFile(join(folder, file + (endings.get(encoding ?? "") ?? "")));
  let etag: string | undefined;
  return {
    type: types[extname(file)] ?? "",
    encodings: [...endings].filter(([, ending]) => present.has(file + ending)).map(([name]) => name),
    read,
    async etag() {
      etag ??= `"${createHash("sha256")
        .update(await read())
        .digest("base64url")}"`;
      return etag;
    },
  };
}
