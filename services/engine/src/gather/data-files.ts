import { posix } from "node:path";
import { folderOf, type PathIndex } from "../source/path-index.ts";

const writtenPath = /["'`]([\w./@-]{1,300}\.json)["'`]/g;
/** What tools read, and not the service. */
const toolFile = /(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.-]*|composer|biome|turbo|nx|lerna)\.json$/;

/** The JSON files of a service whose paths its code spells: relative to the file, to the root, or by their ends. */
export function dataFilesOf(path: string, text: string, index: PathIndex): string[] {
  const found = [...text.matchAll(writtenPath)].flatMap(([, written = ""]) => {
    if (toolFile.test(written)) return [];
    const plain = written.replace(/^(?:\.{0,2}\/)+/, "");
    const near = [posix.join(folderOf(path), written), posix.join(folderOf(path), plain), plain];
    return near.find((one) => index.has(one)) ?? index.endingWith(plain) ?? [];
  });
  return [...new Set(found)];
}
