import { readFileSync, realpathSync, statSync } from "node:fs";
import { fileSystem } from "../runtime/file-system.ts";

/** What code that reads files asks the disk: the real path of a file, or the content of one within a size. */
export type DiskQuestion = { readonly real: string } | { readonly content: string; readonly bytesMax: number };

/** Code that reads files, for {@link readFiles} and {@link readFilesSync}: it yields questions, and goes on with their answers. */
export type OnDisk<Result> = Generator<DiskQuestion, Result, string | Buffer | undefined>;

/** Returns the path of a file with links followed; undefined when there is no such file. */
export function* realFile(path: string): OnDisk<string | undefined> {
  const answer = yield { real: path };
  return typeof answer === "string" ? answer : undefined;
}

/** Returns the content of a file; undefined when it can't be read, or is larger. */
export function* contentOf(path: string, bytesMax: number): OnDisk<Buffer | undefined> {
  const answer = yield { content: path, bytesMax };
  return Buffer.isBuffer(answer) ? answer : undefined;
}

/** Reads files without blocking. Rejects only if `reading` throws. */
export async function readFiles<Result>(reading: OnDisk<Result>): Promise<Result> {
  let step = reading.next();
  while (!step.done) step = reading.next(await answerOf(step.value));
  return step.value;
}

/** Reads files synchronously. Once `isInTime` returns false, there are none. */
export function readFilesSync<Result>(reading: OnDisk<Result>, isInTime: () => boolean = () => true): Result {
  let step = reading.next();
  while (!step.done) step = reading.next(isInTime() ? answerSync(step.value) : undefined);
  return step.value;
}

async function answerOf(question: DiskQuestion): Promise<string | Buffer | undefined> {
  const { readFile, realpath, stat } = fileSystem();
  try {
    if ("real" in question) return (await stat(question.real)).isFile() ? await realpath(question.real) : undefined;
    const { size } = await stat(question.content);
    return size > question.bytesMax ? undefined : await readFile(question.content);
  } catch {
    // There is none, or it isn't readable.
    return undefined;
  }
}

function answerSync(question: DiskQuestion): string | Buffer | undefined {
  try {
    if ("real" in question) return statSync(question.real).isFile() ? realpathSync(question.real) : undefined;
    const { size } = statSync(question.content);
    return size > question.bytesMax ? undefined : readFileSync(question.content);
  } catch {
    // As above.
    return undefined;
  }
}
