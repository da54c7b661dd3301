import { dirname, posix } from "node:path";
import { filesOfSource } from "../corpora/case-files.ts";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import { framesOf } from "../frames.ts";
import { mistakePlace } from "../mutate/mistake-place.ts";
import { hashOf, type Mutation, shuffled, toLineEdits } from "../mutate/mutation.ts";
import { pathOf } from "../pasted/tree.ts";
import type { Host } from "./host.ts";
import { mutableFile } from "./mutations.ts";

const logMaxCharacters = 6000;
const filesMax = 12;
const hexRadix = 16;

/** A mutation of a host's file, and what its tests printed. */
export interface Failure {
  readonly host: Host;
  readonly file: string;
  readonly source: string;
  readonly mutated: string;
  readonly mutation: Mutation;
  readonly log: string;
}

/** A failure as a case. */
export async function caseOf({ host, file, source, mutated, mutation, log: whole }: Failure): Promise<CorpusCase> {
  const { language, kind, group, from, name } = host;
  const [first, ...others] = toLineEdits(source, mutation.edits);
  if (first === undefined) throw new Error(`A mutation of ${file} has no edit.`);
  const around = (await mutableFile(language, source)).functions.atOffset(mutation.edits[0].start);
  const { functions } = await mutableFile(language, mutated);
  const log = shortened(whole);
  const paths = filesOfSource({ language }, { folder: ".", from });
  const byName = Map.groupBy(paths, (path) => posix.basename(path));
  const frames = framesOf({ errorLog: log, language, corpus: "tested" }).map(({ file: printed, line }) => ({
    file: pathOf(printed, byName),
    line,
  }));
  const seed = `${file} ${JSON.stringify(mutation)}`;
  const beside = shuffled(paths, seed, (path) => path).filter((path) => dirname(path) === dirname(file));
  const attached = new Set([file, ...frames.flatMap((frame) => frame.file ?? []), ...beside]);
  return {
    id: `tested-${language}-${name}-${mutation.operator}-${hashOf(seed).toString(hexRadix)}`,
    corpus: "tested",
    ...{ language, kind, group },
    operator: mutation.operator,
    sources: [{ folder: ".", from }],
    test: kind === "service" ? "traffic" : "tests",
    log,
    files: [...attached].slice(0, filesMax).sort(),
    edits: [first, ...others].map((edit) => ({ file, ...edit })),
    truth: {
      file,
      function: around?.name ?? "",
      ...mistakePlace([first, ...others], mutated, around),
      depth: frames.findIndex((frame) => frame.file === file && functions.atLine(frame.line)?.name === around?.name),
      on_stack: frames.some((frame) => frame.file === file),
    },
  };
}

function shortened(log: string): string {
  return log.length <= logMaxCharacters ? log : log.slice(0, log.lastIndexOf("\n", logMaxCharacters));
}
