import { limits, utf8Length } from "@whence/protocol";
import { sizeName } from "../../lib/size-name.ts";

/** A file sent with an analysis. */
export interface AttachedFile {
  readonly name: string;
  readonly content: string;
  readonly bytes: number;
}

/** A chosen or dropped file, as the browser describes it. */
export interface ChosenFile {
  readonly name: string;
  readonly size: number;
  readonly webkitRelativePath?: string;
  text(): Promise<string>;
}

export interface ReadFiles {
  readonly read: readonly AttachedFile[];
  /** One sentence for each rejected file. */
  readonly refused: readonly string[];
}

/** Reads the files that can be sent, and says why others can't. */
export async function readFiles(chosen: readonly ChosenFile[]): Promise<ReadFiles> {
  const all = await Promise.all(chosen.map(readFile));
  return {
    read: all.flatMap((one) => (typeof one === "string" ? [] : [one])),
    refused: all.flatMap((one) => (typeof one === "string" ? [one] : [])),
  };
}

async function readFile(file: ChosenFile): Promise<AttachedFile | string> {
  const name = (file.webkitRelativePath || file.name).slice(-limits.fileNameLengthMax);
  const tooLarge = (bytes: number): string =>
    `${name} is ${sizeName(bytes)}; the limit is ${sizeName(limits.fileContentBytesMax)}.`;
  if (file.size > limits.fileContentBytesMax) return tooLarge(file.size);
  const content = await file.text().catch(() => null);
  if (content === null) return `${name} couldn't be read.`;
  if (content.includes("\0")) return `${name} isn't a text file.`;
  const bytes = utf8Length(content);
  return bytes > limits.fileContentBytesMax ? tooLarge(bytes) : { name, content, bytes };
}

/** Adds new files: one with the same name is replaced, and files beyond the limit are rejected. */
export function addFiles(files: readonly AttachedFile[], { read, refused }: ReadFiles): ReadFiles {
  const added = new Map(read.map((file) => [file.name, file]));
  const kept = files.filter(({ name }) => !added.has(name));
  const all = [...kept, ...added.values()];
  const left = all
    .slice(limits.filesMax)
    .map(({ name }) => `${name} was left out: the limit is ${limits.filesMax} files.`);
  return { read: all.slice(0, limits.filesMax), refused: [...refused, ...left] };
}

/** Returns the number of lines of a file. */
export function lineCount({ content }: AttachedFile): number {
  let lines = 1;
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) lines++;
  return lines;
}
