import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { CorpusCase } from "./corpus-case.ts";
import { fetchPackages, type Registry, unpackedFolder } from "./package-cache.ts";

const repository = join(import.meta.dirname, "../../..");
const registries: Record<CorpusCase["language"], Registry> = {
  javascript: "npm",
  typescript: "npm",
  python: "pypi",
  go: "go",
};

/** One entry of `sources`: a published package, or a part of one, or a folder of this repository. */
interface Source {
  readonly folder: string;
  readonly from: string;
}

/** What stands before and after the version in `name@version:path`; undefined for a folder of this repository. */
function parseFrom(from: string): { spec: string; path: string } | undefined {
  const match = /^((?:@[^/]+\/)?[^@]+@[^:]+)(?::(.+))?$/.exec(from);
  return match?.[1] === undefined ? undefined : { spec: match[1], path: match[2] ?? "" };
}

/** Lays out what `cases` are made of: fetches every package that the cache lacks. */
export async function layOut(cases: readonly CorpusCase[]): Promise<void> {
  const specs: Record<Registry, string[]> = { npm: [], pypi: [], go: [] };
  for (const { language, sources } of cases) {
    for (const { from } of sources) {
      const spec = parseFrom(from)?.spec;
      if (spec !== undefined) specs[registries[language]].push(spec);
    }
  }
  await fetchPackages("npm", specs.npm);
  await fetchPackages("pypi", specs.pypi);
  await fetchPackages("go", specs.go);
}

/**
 * The text of one of the case's files, as it was when the case failed: `edits` are applied. Undefined when no source
 * has it, or when its package was not fetched yet (`layOut`).
 */
export function readCaseFile(corpusCase: CorpusCase, file: string): string | undefined {
  const source = corpusCase.sources
    .filter(({ folder }) => folder === "" || file === folder || file.startsWith(`${folder}/`))
    .sort((left, right) => right.folder.length - left.folder.length)[0];
  if (source === undefined) return undefined;
  const inside = source.folder === "" ? file : file.slice(source.folder.length + 1);
  const published = parseFrom(source.from);
  const path = published === undefined ? inside : posix.join(published.path, inside);
  const root =
    published === undefined
      ? join(repository, source.from)
      : unpackedFolder(registries[corpusCase.language], published.spec);
  if (!existsSync(join(root, path))) return undefined;
  const text = readFileSync(join(root, path), "utf8");
  const placed =
    published?.path && registries[corpusCase.language] === "npm" ? asApplication(text, path, source) : text;
  return applyEdits(corpusCase, file, placed);
}

/**
 * A test of a package reaches the package by relative paths; as a file of an application it names the package. Lines
 * stay where they are.
 */
function asApplication(text: string, path: string, { folder, from }: Source): string {
  const name = from.slice(0, from.indexOf("@", 1));
  return text.replace(
    /(\brequire\(\s*|\bfrom\s+|\bimport\s+|\bimport\(\s*)(["'])(\.{1,2}(?:\/[^"'\n]*)?)\2/g,
    (whole: string, before: string, quote: string, specifier: string) => {
      const target = posix.join(posix.dirname(path), specifier).replace(/\/$/, "");
      if (target === folder || target.startsWith(`${folder}/`)) return whole;
      return `${before}${quote}${target === "." ? name : `${name}/${target}`}${quote}`;
    },
  );
}

function applyEdits({ edits = [] }: CorpusCase, file: string, text: string): string {
  const lines = text.split("\n");
  const own = edits.filter((edit) => edit.file === file).sort((left, right) => right.line_start - left.line_start);
  for (const { line_start, line_end, text: replacement } of own) {
    lines.splice(line_start - 1, line_end - line_start + 1, ...replacement.split("\n"));
  }
  return lines.join("\n");
}
