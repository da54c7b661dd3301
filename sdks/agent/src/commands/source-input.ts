import { relative, resolve } from "node:path";
import { type FileContent, limits } from "@whence/protocol";
import { autoFiles, type LeftOut } from "../sources/auto-files.ts";
import { readSentFile } from "../sources/read-sent-file.ts";
import { plainText } from "../terminal/plain-text.ts";
import { type CommandLine, hasFlag, type Surroundings, textOptions, UsageError } from "./command.ts";

const problems = {
  missing: "can't be read",
  "no file": "isn't a file",
  "too large": `is larger than ${limits.fileContentBytesMax} bytes`,
  "no text": "isn't UTF-8 text",
} as const;

const reasons: Readonly<Record<LeftOut, string>> = {
  "too large": "too large",
  "no text": "not UTF-8 text",
  "no room": "no room",
};
const leftOutNamed = 5;

/**
 * Reads the files of a command line: the named ones, where any failure is a usage error, then, with `--auto`, those
 * that explain the error text, and then those that the program `loaded`, as many as fit into `bytesMax` together with
 * the text. Prints to stderr what `--auto` found.
 */
export async function readSources(
  errorText: string,
  line: CommandLine,
  { cwd, stderr }: Surroundings,
  bytesMax: number,
  loaded: readonly string[] = [],
): Promise<FileContent[]> {
  const paths = textOptions(line, "file");
  if (paths.length > limits.filesMax) {
    throw new UsageError(`${paths.length} files were named, but at most ${limits.filesMax} can be sent`);
  }
  const masked = new Map<string, string>();
  const named = await Promise.all(paths.map((path) => readNamed(path, cwd, masked)));
  if (!hasFlag(line, "auto")) {
    stderr.write(maskedText(masked));
    return named;
  }
  const used = [errorText, ...named.map(({ content }) => content)].reduce((sum, text) => sum + sentBytes(text), 0);
  // Half of the room is reserved for JSON escapes.
  const budget = { files: limits.filesMax - named.length, bytes: Math.max(0, Math.floor((bytesMax - used) / 2)) };
  const { files, leftOut, masked: maskedToo } = await autoFiles(errorText, cwd, budget, loaded);
  const found = files.filter(({ name }) => !named.some((file) => file.name === name));
  const lines = [
    `Attached ${counted(found.length)}${found.length > 0 ? `: ${list(found.map(({ name }) => name))}` : ""}.`,
    ...(leftOut.size > 0 ? [`Left out ${counted(leftOut.size)}: ${leftOutText(leftOut)}.`] : []),
  ];
  stderr.write(`${stderr.style.dim(lines.join(" "))}\n${maskedText(new Map([...masked, ...maskedToo]))}`);
  return [...named, ...found];
}

function leftOutText(leftOut: ReadonlyMap<string, LeftOut>): string {
  const texts = [...leftOut].map(([name, reason]) => `${name} (${reasons[reason]})`);
  const rest = texts.length - leftOutNamed;
  return list([...texts.slice(0, leftOutNamed), ...(rest > 0 ? [`${rest} more`] : [])]);
}

function list(names: readonly string[]): string {
  return names.map(plainText).join(", ");
}

function counted(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

/** Reads one file, and records in `masked` when a credential in it was masked. */
async function readNamed(path: string, cwd: string, masked: Map<string, string>): Promise<FileContent> {
  const source = await readSentFile(resolve(cwd, path));
  if (source.outcome !== "read") throw new UsageError(`${path} ${problems[source.outcome]}`);
  const name = nameOf(path, cwd);
  if (source.credential !== null) masked.set(name, source.credential);
  return { name, content: source.text };
}

function maskedText(masked: ReadonlyMap<string, string>): string {
  const texts = [...masked].map(([name, kind]) => `${name} (${kind})`);
  return texts.length === 0 ? "" : `Masked a credential in ${counted(texts.length)}: ${list(texts)}.\n`;
}

/** Returns the path relative to the working directory, as a stack would have it; outside of it, the path as given. */
function nameOf(path: string, cwd: string): string {
  const below = relative(cwd, resolve(cwd, path));
  return (below.startsWith("..") || below === "" ? path : below).replaceAll("\\", "/");
}

function sentBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
