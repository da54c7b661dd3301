import { posix } from "node:path";
import { folderOf, type PathIndex } from "../source/path-index.ts";

const writtenPath = /["'`]([\w./@-]{1,300}\.json)["'`]/g;
/** Files read by tools rather than by the service. */
const toolFile = /(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.-]*|composer|biome|turbo|nx|lerna)\.json$/;

/**
 * Returns the JSON files of a service whose paths appear in its code: relative to the file, relative to the root, or by
 * the end of the path.
 */
export function dataFilesOf(path: string, text: string, index: PathIndex): string[] {
  const found = [...text.matchAll(writtenPath)].flatMap(([, written = ""]) => {
    if (toolFile.test(written)) return [];
    const plain = written.replace(/^(?:\.{0,2}\/)+/, "");
    const near = [posix.join(folderOf(path), written), posix.join(folderOf(path), plain), plain];
    return near.find((one) => index.has(one)) ?? index.endingWith(plain) ?? [];
  });
  return [...new Set(found)];
}
