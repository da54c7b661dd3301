import { posix } from "node:path";
import type { ParsedError } from "../findings.ts";
import { folderOf, type PathIndex } from "./path-index.ts";

const writtenPath = /["'`]([\w./@-]{1,300}\.(?:json|ya?ml|toml|properties|ini|conf|cfg))["'`]/g;
/** What tools read, and not the service. */
const toolFile = /(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.-]*|composer|biome|turbo|nx|lerna)\.json$/;

/** Whether the error says that some data couldn't be parsed. */
export function isAboutData({ chain, exceptions }: ParsedError): boolean {
  return chain.some((index) => /\bJSON\b|\b(?:un)?pars(?:e|ing|able)\b/i.test(exceptions[index]?.message ?? ""));
}

/** The data files of a service whose paths its code spells: relative to the file, to the root, or by their ends. */
export function dataFilesOf(path: string, text: string, index: PathIndex): string[] {
  const found = [...text.matchAll(writtenPath)].flatMap(([, written = ""]) => {
    if (toolFile.test(written)) return [];
    const plain = written.replace(/^(?:\.{0,2}\/)+/, "");
    const near = [posix.join(folderOf(path), written), posix.join(folderOf(path), plain), plain];
    return near.find((one) => index.has(one)) ?? index.endingWith(plain) ?? [];
  });
  return [...new Set(found)];
}
