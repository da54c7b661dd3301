import { crc32 } from "node:zlib";
import { isInstalled } from "../case-tree.ts";
import { parseFrom, readCaseFile } from "./case-files.ts";
import type { CorpusCase } from "./corpus-case.ts";

type Source = CorpusCase["sources"][number];

/** How many lines a file is longer in the version of a mutant that didn't fail. */
const linesAddedMax = 40;

/**
 * A case with the code of another version than the one that failed: of a mined crash the one whose tests were run, of a
 * mutant the code without the mistake, its lines further down. Where the mistake is isn't known by lines then. Undefined
 * when the other version lacks the file.
 */
export function otherVersionOf(one: CorpusCase): CorpusCase | undefined {
  const changed = one.corpus === "mined" ? withNewerSource(one) : withoutMistake(one);
  if (changed === undefined || readCaseFile(changed, one.truth.file) === undefined) return undefined;
  return { ...changed, truth: { ...changed.truth, line_start: unknownLine, line_end: unknownLine } };
}

/** Far beyond any line of a file. */
const unknownLine = 1_000_000_000;

/** What brings the tests has the code, too. */
function withNewerSource(one: CorpusCase): CorpusCase | undefined {
  const isTest = ({ folder }: Source): boolean => !isInstalled(`${folder}/`);
  const newer = new Map(one.sources.filter(isTest).map(({ from }) => [packageOf(from), parseFrom(from)?.spec]));
  const sources = one.sources.map((source) => {
    const spec = isTest(source) ? undefined : newer.get(packageOf(source.from));
    const path = parseFrom(source.from)?.path ?? "";
    return spec === undefined ? source : { ...source, from: path === "" ? spec : `${spec}:${path}` };
  });
  return sources.some(({ from }, index) => from !== one.sources[index]?.from) ? { ...one, sources } : undefined;
}

function packageOf(from: string): string {
  return from.replace(/(?<=.)@.*$/, "");
}

function withoutMistake(one: CorpusCase): CorpusCase {
  const count = 1 + (crc32(`lines ${one.id}`) % linesAddedMax);
  const line = one.language === "python" ? "# One line more." : "// One line more.";
  const text = Array.from({ length: count }, () => line).join("\n");
  const isCode = /\.(?:[cm]?[jt]s|py|go)$/.test(one.truth.file);
  return { ...one, edits: isCode ? [{ file: one.truth.file, line_start: 1, line_end: 0, text }] : [] };
}
