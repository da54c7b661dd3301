import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type ts from "typescript";
import { type CorpusCase, corpusCase } from "../corpora/corpus-case.ts";
import type { StackFrame } from "../corpora/stack.ts";
import { categoryOf } from "./category.ts";
import type { Crash } from "./crash.ts";
import type { Culprit } from "./culprit.ts";
import { type Environment, installedVersions } from "./environment.ts";
import { type Hunk, replacedRange } from "./hunks.ts";
import { enclosingFunction, lineOf, parseJavaScript } from "./named-function.ts";
import { isRuntimeCode, packageFiles, readManifest } from "./package-files.ts";

const filesMax = 20;
const filesWanted = 12;
const distractorsMin = 4;
const fileBytesMax = 200_000;
/** A change of more lines says too little about where the mistake is. */
const culpritLinesMax = 80;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A case of one crash; undefined when the change that fixes it is too large to point at. */
export function minedCase(
  environment: Environment,
  testFile: string,
  crash: Crash,
  culprit: Culprit,
  others: readonly Culprit[],
): CorpusCase | undefined {
  const { name, group, older, newer } = environment.pair;
  const places = placesOf(environment, culprit, crash.frames);
  const [truth, ...also] = [...places, ...others.flatMap((other) => placesOf(environment, other, crash.frames))];
  if (truth === undefined || truth.line_end - truth.line_start >= culpritLinesMax) return undefined;
  const id = `${name.replaceAll("/", "+")}@${older}-${sha256(testFile + crash.test).slice(0, 8)}`;
  const files = filesOf(environment, id, testFile, truth.file, crash);
  const category = categoryOf(crash.log);
  return corpusCase.parse({
    id,
    corpus: "mined",
    language: "javascript",
    kind: "package",
    group,
    sources: sourcesOf(environment, files),
    fixed: newer,
    test: `${testFile}: ${crash.test}`,
    log: crash.log,
    files,
    truth: { ...truth, ...(category === undefined ? {} : { category }) },
    ...(also.length === 0 ? {} : { also: also.map(({ depth, on_stack, ...place }) => place) }),
  });
}

type Truth = CorpusCase["truth"];

/** Where the needed hunks are, the one in a function that is highest on the stack first. */
function placesOf(
  { pair: { name } }: Environment,
  { file, text, needed }: Culprit,
  frames: readonly StackFrame[],
): Truth[] {
  const source = parseJavaScript(text);
  const path = `node_modules/${name}/${file}`;
  const on_stack = frames.some((frame) => frame.file === path);
  const places = needed.map((hunk) => ({ file: path, ...placeOf(source, hunk, path, frames), on_stack }));
  const rank = ({ depth, function: inside }: Truth): number => (depth >= 0 ? depth : inside === "" ? 2000 : 1000);
  const seen = new Set<string>();
  return places
    .sort((left, right) => rank(left) - rank(right))
    .filter(
      ({ line_start, line_end }) => !seen.has(`${line_start}-${line_end}`) && seen.add(`${line_start}-${line_end}`),
    );
}

function placeOf(
  source: ts.SourceFile,
  hunk: Hunk,
  path: string,
  frames: readonly StackFrame[],
): Omit<Truth, "file" | "on_stack"> {
  const { from, to } = replacedRange(hunk, source.text);
  const inside = enclosingFunction(source, from, to);
  const depth = frames.findIndex(({ file, line, column }) => {
    if (file !== path) return false;
    const start = source.getLineStarts()[line - 1];
    const running = start === undefined ? undefined : enclosingFunction(source, start + column - 1);
    return running?.from === inside?.from && running?.to === inside?.to;
  });
  const lines = { line_start: lineOf(source, from), line_end: lineOf(source, Math.max(from, to)) };
  return { function: inside?.name ?? "", ...lines, depth };
}

const packageOf = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];

/** The culprit, the test, what the log names, then other code of the same packages in an order that a hash fixes. */
function filesOf(environment: Environment, id: string, testFile: string, culprit: string, { log }: Crash): string[] {
  const chosen: string[] = [];
  const add = (file: string): void => {
    if (chosen.length >= filesMax || chosen.includes(file)) return;
    const stats = statSync(pathOf(environment, file), { throwIfNoEntry: false });
    if (stats?.isFile() && stats.size <= fileBytesMax) chosen.push(file);
  };
  const inLog = [...log.matchAll(/\/app\/([^\s:()'"`]+\.(?:[cm]?js|json))\b/g)].flatMap(([, file]) => file ?? []);
  for (const file of [culprit, testFile, ...inLog]) add(file);
  const wanted = Math.min(filesMax, Math.max(chosen.length + distractorsMin, filesWanted));
  for (const root of distractorPackages(environment, [culprit, ...inLog])) {
    const pool = packageFiles(pathOf(environment, root))
      .filter(isRuntimeCode)
      .map((file) => `${root}/${file}`);
    const ordered = pool.map((file) => [sha256(id + file), file] as const).sort();
    for (const [, file] of ordered) if (chosen.length < wanted) add(file);
  }
  return chosen.sort();
}

/** The packages of the stack, nearest first, then what the package depends on. */
function distractorPackages({ app, pair: { olderFolder } }: Environment, files: readonly string[]): string[] {
  const involved = files.flatMap((file) => packageOf(file) ?? []);
  const dependencies = Object.keys(readManifest(olderFolder).dependencies).map((name) => `node_modules/${name}`);
  return [...new Set([...involved, ...dependencies])].filter((folder) => existsSync(join(app, folder)));
}

/** The real place of a path relative to `/app`: tests lie inside the installed package. */
function pathOf({ app, installed }: Environment, file: string): string {
  return file.startsWith("node_modules/") ? join(app, file) : join(installed, file);
}

/** What has to be laid out for `files` to be found. */
function sourcesOf(
  { app, pair: { name, older, tester } }: Environment,
  files: readonly string[],
): CorpusCase["sources"] {
  const own = `node_modules/${name}`;
  const versions = installedVersions(app);
  const sources = new Map([[own, `${name}@${older}`]]);
  for (const file of files) {
    const folder = packageOf(file);
    const part = /^[^/]+/.exec(file)?.[0] ?? file;
    if (folder === undefined) sources.set(part, `${name}@${tester}:${part}`);
    else if (folder !== own && versions.has(folder))
      sources.set(folder, `${publishedName(app, folder)}@${versions.get(folder)}`);
  }
  return [...sources].map(([folder, from]) => ({ folder, from }));
}

/** A dependency may be installed under another name. */
function publishedName(app: string, folder: string): string {
  const { name }: { name?: string } = JSON.parse(readFileSync(join(app, folder, "package.json"), "utf8"));
  return name ?? folder.replace(/^.*node_modules\//, "");
}
