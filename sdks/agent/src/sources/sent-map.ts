import { posix } from "node:path";
import { credentialIn, limits, withoutCredentials } from "@whence/protocol";
import type { SentFile } from "./read-sent-file.ts";
import type { SourceMapData } from "./source-map.ts";
import type { SourceTree } from "./source-tree.ts";

/**
 * Returns a source map as sent: with the code of only those sources that are the program's own files below the folder,
 * and with credentials masked.
 */
export async function sentMap(name: string, map: SourceMapData, tree: SourceTree): Promise<SentFile> {
  const sourcesContent: (string | null)[] = [];
  let credential: string | null = null;
  for (const [index, source] of map.sources.entries()) {
    const given = map.sourcesContent[index] ?? null;
    const path = given === null ? null : pathOf(name, map.sourceRoot, source);
    const content = path !== null && (await tree.first([path])) !== null ? given : null;
    // In JSON, the lines aren't seen as lines.
    credential ??= content === null ? null : credentialIn(content, source);
    sourcesContent.push(content === null ? null : withoutCredentials(content, source));
  }
  const json = JSON.stringify({ ...map, sourcesContent });
  credential ??= credentialIn(json, name);
  const text = withoutCredentials(json, name);
  const bytes = Buffer.byteLength(text);
  return bytes > limits.fileContentBytesMax ? { outcome: "too large" } : { outcome: "read", text, bytes, credential };
}

/** Returns where a source is, for the folder of all; null for an absolute path or address, which may be of another. */
function pathOf(map: string, sourceRoot: string, source: string): string | null {
  const rooted = sourceRoot === "" ? source : `${sourceRoot.replace(/\/$/, "")}/${source}`;
  // The schemes of bundlers stand for the folder of the map.
  const path = rooted.replace(/^(?!file:|https?:)[\w-]{2,20}:\/\/\/?/, "");
  return /^[/\\]|^[\w-]+:/.test(path) ? null : posix.join(posix.dirname(map), path);
}
