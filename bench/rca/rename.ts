import { createHash } from "node:crypto";
import { builtinModules, createRequire } from "node:module";
import ts from "typescript";
import { treeOf } from "./case-tree.ts";
import type { RecordedCase } from "./cases.ts";
import type { CaseFile } from "./corpora/case-files.ts";

/** Shorter names mean nothing, and too often coincide with something else. */
const nameUnitsMin = 4;
const keptSegments = /^(?:node_modules|index|package|src|lib|dist|build|app|test|tests|es|esm|cjs|config|env)$/;

/**
 * Returns the same failure under other names: packages, files, and everything that the files declare, consistently in
 * the log and in the files. A new name is as long as the old one, so that columns still match. Names of the language
 * and the runtime stay, as do the words of sentences.
 */
export function renamed(rca: RecordedCase): RecordedCase {
  const { tree } = rca;
  const files = tree.paths.map((name) => ({ name, content: tree.read(name) ?? "" }));
  const names = new Map([...declaredNames(files)].map((name) => [name, disguise(rca.id, name)]));
  const segments = new Map([...segmentsOf(files)].map((name) => [name, disguise(rca.id, name)]));
  const path = (text: string): string => text.replace(/[\w$]+/g, (word) => segments.get(word) ?? word);
  const projects = new Set(tree.paths.filter(tree.isProject).map(path));
  const name = (text: string): string => text.replace(/[A-Za-z_$][\w$]*/g, (word) => names.get(word) ?? word);
  const place = <P extends { file: string; function?: string }>(one: P): P => ({
    ...one,
    file: path(one.file),
    ...(one.function === undefined ? {} : { function: name(one.function) }),
  });
  return {
    ...rca,
    truth: place(rca.truth),
    also: rca.also.map(place),
    errorLog: rca.errorLog
      .split("\n")
      .map((line) => renameInLog(line, name, path))
      .join("\n"),
    tree: treeOf(
      files.map((file) => ({ name: path(file.name), content: renameInFile(file, names, path) })),
      (one) => projects.has(one),
    ),
  };
}

function renameInLog(line: string, name: (text: string) => string, path: (text: string) => string): string {
  const frame = /^(\s*at )(?:(.*?)( \())?((?:file:\/\/)?\/.*)$/.exec(line);
  if (frame) return `${frame[1]}${name(frame[2] ?? "")}${frame[3] ?? ""}${path(frame[4] ?? "")}`;
  return line
    .replace(/(?:file:\/\/)?\/app\/[^\s'"`)]+/g, path)
    .replace(/'[^'\s]+'/g, (quoted) => (/[/@]/.test(quoted) ? path(quoted) : name(quoted)))
    .replace(
      /^(.*?Error: )([\w$.()#]+)(?= is not (?:a|defined|iterable))/,
      (_, lead: string, what: string) => lead + name(what),
    );
}

/** Renames identifiers, strings that are one of the names, and import paths. */
function renameInFile(
  { name: file, content }: CaseFile,
  names: ReadonlyMap<string, string>,
  path: (text: string) => string,
): string {
  if (file.endsWith("package.json")) return content.replace(/"[^"\s]+"/g, path);
  if (!/\.[cm]?[jt]sx?$/.test(file)) return content.replace(/[A-Za-z_$][\w$]*/g, (word) => names.get(word) ?? word);
  const edits: { start: number; end: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const start = node.getStart(parsed);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const isPrivate = node.text.startsWith("#");
      const other = names.get(isPrivate ? node.text.slice(1) : node.text);
      if (other !== undefined) edits.push({ start: isPrivate ? start + 1 : start, end: node.end, text: other });
    } else if (ts.isStringLiteral(node)) {
      const other = isSpecifier(node) ? path(node.text) : (names.get(node.text) ?? node.text);
      if (other !== node.text) edits.push({ start: start + 1, end: node.end - 1, text: other });
    }
    ts.forEachChild(node, visit);
  };
  const parsed = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  visit(parsed);
  let out = content;
  for (const { start, end, text } of edits.sort((left, right) => right.start - left.start)) {
    out = out.slice(0, start) + text + out.slice(end);
  }
  return out;
}

function isSpecifier({ parent }: ts.StringLiteral): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && /^(?:require|import)$/.test(parent.expression.getText());
}

/** Returns what the files declare: functions, classes, variables, parameters, and methods. */
function declaredNames(files: readonly CaseFile[]): Set<string> {
  const names = new Set<string>();
  for (const { name: file, content } of files) {
    if (!/\.[cm]?[jt]sx?$/.test(file)) continue;
    const parsed = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const declared =
        (ts.isFunctionLike(node) ||
          ts.isVariableDeclaration(node) ||
          ts.isParameter(node) ||
          ts.isClassLike(node) ||
          ts.isPropertyAssignment(node)) &&
        node.name;
      const isFunction = !ts.isPropertyAssignment(node) || ts.isFunctionLike(node.initializer);
      if (declared && ts.isIdentifier(declared) && isFunction) names.add(declared.text);
      ts.forEachChild(node, visit);
    };
    visit(parsed);
  }
  return new Set([...names].filter((name) => name.length >= nameUnitsMin && !runtimeNames.has(name)));
}

function segmentsOf(files: readonly CaseFile[]): Set<string> {
  const own = files.flatMap(({ name }) => {
    const parts = name.replace(/\.[\w.]+$/, "").split("/");
    const installed = parts.lastIndexOf("node_modules");
    const base = parts.at(-1) ?? "";
    return [base, ...(installed >= 0 ? parts.slice(installed + 1, installed + 3) : [])];
  });
  const words = own.flatMap((part) => part.split(/[^\w$]+/));
  return new Set(
    words.filter((word) => word.length >= nameUnitsMin && !keptSegments.test(word) && !builtinModules.includes(word)),
  );
}

/** Returns another word of the same length with the same case at its start. */
function disguise(seed: string, word: string): string {
  const digest = createHash("sha256").update(`${seed} ${word}`).digest();
  return [...word]
    .map((unit, index) => {
      const letter = String.fromCharCode(97 + ((digest[index % digest.length] ?? 0) % 26));
      if (/[a-z]/.test(unit)) return letter;
      return /[A-Z]/.test(unit) ? letter.toUpperCase() : unit;
    })
    .join("");
}

/** Every name defined by the language or the runtime. */
const runtimeNames = new Set<string>([
  "require",
  "module",
  "exports",
  "constructor",
  "prototype",
  "default",
  "async",
  "await",
]);
const require = createRequire(import.meta.url);
collect(globalThis, 3);
for (const name of builtinModules.filter((one) => !one.includes("/") && !one.startsWith("_"))) {
  runtimeNames.add(name);
  collect(require(name), 3);
}

function collect(value: unknown, depth: number): void {
  if (depth === 0 || value === null || (typeof value !== "object" && typeof value !== "function")) return;
  for (const [name, { value: held }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    runtimeNames.add(name);
    collect(held, depth - 1);
  }
}
