import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { CorpusCase } from "./corpus-case.ts";
import { type Archive, fetchPackages, unpackedFolder } from "./package-cache.ts";

/** A file as it was when its case failed. */
export interface CaseFile {
  /** Relative to `/app`. */
  readonly name: string;
  readonly content: string;
}

type Source = CorpusCase["sources"][number];
type LineEdit = NonNullable<CorpusCase["edits"]>[number];

const bench = join(import.meta.dirname, "..");

/** Where the apps are whose sources lie in this repository: `services/<name>`, `drivers/<name>`, `tested/services/...`. */
function appFolder(from: string): string {
  return from.startsWith("tested/") ? join(bench, from) : join(bench, "mutate", from);
}

/**
 * Fetches every package that `cases` are made of and that the cache lacks.
 *
 * @throws {AggregateError} when some of them couldn't be fetched.
 */
export async function layOut(cases: readonly CorpusCase[]): Promise<void> {
  const specs = cases.flatMap((one) =>
    one.sources.flatMap((source) => {
      const spec = parseFrom(source.from)?.spec;
      return spec === undefined ? [] : [{ archive: archiveOf(one, source), spec }];
    }),
  );
  const failed: Error[] = [];
  for (const [archive, wanted] of Map.groupBy(specs, (one) => one.archive)) {
    const fetched = wanted.map(({ spec }) => spec);
    failed.push(...(await fetchPackages(archive, fetched)));
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join("; "));
}

/** Code, data and settings that a maintainer writes; no declarations, bundles or installed packages. */
const written =
  /(?<!\.min)(?<!\.d)\.(?:[cm]?[jt]sx?|py|go|java|rb|json|ya?ml|toml|ini|cfg|sql|properties)$|(?:^|\/)\.env$/;
const notWritten = /(?:^|\/)(?:node_modules|__pycache__|[^/]*\.(?:dist|egg)-info|package-lock\.json)(?:\/|$)/;
const fileBytesMax = 400_000;
const listed = new Map<string, readonly string[]>();

/** The names of all files that a source of a case lays out, relative to `/app`. */
export function filesOfSource(read: Pick<CorpusCase, "language">, source: Source): string[] {
  const root = rootOf(read, source);
  const known = listed.get(root) ?? listBelow(root);
  listed.set(root, known);
  return known.map((inside) => posix.join(source.folder, inside));
}

function listBelow(root: string): string[] {
  // A Python package may be a single module.
  if (statSync(root, { throwIfNoEntry: false })?.isFile()) return [""];
  const found = globSync("**/{*.*,.env}", { cwd: root, exclude: (name) => notWritten.test(name) });
  const isFit = (path: string): boolean => {
    const { size } = statSync(path);
    return size > 0 && size <= fileBytesMax;
  };
  return found.filter((name) => written.test(name) && !notWritten.test(name) && isFit(join(root, name))).sort();
}

/** Where a source of a case is unpacked. */
function rootOf(read: Pick<CorpusCase, "language">, source: Source): string {
  const published = parseFrom(source.from);
  if (published === undefined) return appFolder(source.from);
  return join(unpackedFolder(archiveOf(read, source), published.spec), published.path);
}

/**
 * The text of one of the case's files, as it was when the case failed: `edits` are applied. Undefined when no source
 * has it, or when its package was not fetched yet (`layOut`).
 */
export function readCaseFile(read: CorpusCase, file: string): string | undefined {
  const deepestFirst = read.sources.toSorted((left, right) => right.folder.length - left.folder.length);
  for (const source of deepestFirst) {
    const inside = posix.relative(source.folder, file);
    if (inside.startsWith("..")) continue;
    const published = parseFrom(source.from);
    const path = join(rootOf(read, source), inside);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8");
    const isTest = published?.path && isJavaScript(read);
    const placed = isTest ? asApplication(text, posix.join(published.path, inside), source) : text;
    return applyLineEdits(
      placed,
      (read.edits ?? []).filter((edit) => edit.file === file),
    );
  }
  return undefined;
}

/** Replaces lines. The numbers of all edits are those before any edit; an empty text removes the lines. */
export function applyLineEdits(source: string, edits: readonly LineEdit[]): string {
  const lines = source.split("\n");
  for (const { line_start, line_end, text } of edits.toSorted((left, right) => right.line_start - left.line_start))
    lines.splice(line_start - 1, line_end - line_start + 1, ...(text === "" ? [] : text.split("\n")));
  return lines.join("\n");
}

/** What stands before and after the colon in `name@version:path`; undefined for a folder of this repository. */
export function parseFrom(from: string): { spec: string; path: string } | undefined {
  const match = /^((?:@[^/]+\/)?[^@]+@[^:]+)(?::(.+))?$/.exec(from);
  return match?.[1] === undefined ? undefined : { spec: match[1], path: match[2] ?? "" };
}

const isJavaScript = ({ language }: Pick<CorpusCase, "language">): boolean =>
  language === "javascript" || language === "typescript";

/** What lies in `site-packages` is the content of wheels; other parts of Python packages are only in source archives. */
function archiveOf(read: Pick<CorpusCase, "language">, { folder }: Source): Archive {
  if (isJavaScript(read)) return "npm";
  if (read.language === "go") return "go";
  return folder.endsWith("site-packages") ? "wheel" : "sdist";
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
