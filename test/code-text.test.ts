import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

const engine = "services/engine/src/";
/** What reads code. Lowerings, tables of dialects, and runtimes' messages have patterns; repairs write code. */
const readers = ["changes", "rank", "trace/code", "trace/faults", "trace/follow", "trace/frames", "signals", "watched"];

/** Where it still is, or what is matched isn't code. */
const allowed: readonly string[] = [
  // A feature that models are trained with.
  "rank/file-features.ts: source.text",
  // The words of a report.
  "trace/faults/indexes/computed-indexes.ts: textOf(use.node, use.program.source)",
  "trace/faults/kept-credentials.ts: textOf(callee, program.source)",
  // SQL, and the calls of migrations that stand for it.
  "trace/faults/renamed-columns.ts: source.text",
  // Whether a loop waits for its elements, which the program's form doesn't say.
  "trace/faults/split-texts.ts: source.text.slice(loop.start, loop.start + asyncUnits)",
  // Formats that pad numbers, also within texts of SQL.
  "trace/faults/text-orders.ts: source.text.slice(owner.start, owner.end)",
  "trace/faults/text-orders.ts: subject.source.line(subject.line)",
  // Keys of data files.
  "trace/follow/follow-data.ts: source.line(line)",
  "trace/follow/follow-data.ts: source.text",
  // Whether a file has SQL at all.
  "trace/follow/sql-calls.ts: program.source.text",
];

const patternFirst: ReadonlySet<string> = new Set(["test", "exec"]);
const textFirst: ReadonlySet<string> = new Set(["match", "matchAll", "replace", "replaceAll", "search"]);
/** Files about what a release changed that match patterns, none of them against code that the grammars read. */
const ofChanges: readonly string[] = [
  // Names of packages, manifests, and lock files.
  "called-packages.ts",
  "failing-packages.ts",
  "changed-dependencies.ts",
  // Reads of environment variables, also in languages that have no grammar.
  "changed-settings.ts",
  // Comments and spacing, in any language.
  "code-lines.ts",
  // Data files.
  "data-keys.ts",
  // The words of errors.
  "missing-names.ts",
  "telling-changes.ts",
  // SQL, and the calls of migrations that stand for it.
  "schema-changes.ts",
];

/** Files that match patterns in the excerpt of a signal. */
const ofExcerpts: readonly string[] = [
  // Whether a call reads a file rather than asks a service.
  "rank/failure-category.ts",
  // Whether an excerpt begins with a name.
  "report/handed-value.ts",
  // The names in a line, which are looked up among variables; the line may be all that the client sent.
  "report/local-values.ts",
  // Whether an excerpt is a definition, or a path that a value is read from.
  "report/messages/where-to-look.ts",
  "report/where-to-look.ts",
  // The words of a report.
  "signals/code/bad-value.ts",
  "signals/code/step-code.ts",
  "signals/code/step-words.ts",
  // The names in a call.
  "watched/failing-value.ts",
];

/** White space isn't code. */
const spaces = /^\/\^?(?:\\s[*+]|\[ \\t\]\*)\$?\/g?$/;

/** Returns the text that a pattern is matched against. */
function textOf(call: ts.CallExpression): ts.Expression | null {
  if (!ts.isPropertyAccessExpression(call.expression)) return null;
  const { name, expression: on } = call.expression;
  const [first] = call.arguments;
  const [text, pattern] = patternFirst.has(name.text) ? [first, on] : textFirst.has(name.text) ? [on, first] : [];
  if (!text || !pattern || spaces.test(pattern.getText()) || ts.isStringLiteralLike(pattern)) return null;
  return text;
}

/** Returns the text of a file, a line of it, or a node that a pattern is matched against. */
function matched(call: ts.CallExpression): ts.Expression | null {
  const text = textOf(call);
  return text && /\bsource\.(?:text|line\()|\btextOf\(/.test(text.getText()) ? text : null;
}

/** Returns an excerpt that a pattern is matched against. */
function excerptOf(call: ts.CallExpression): ts.Expression | null {
  const text = textOf(call);
  return text && /^(?:\w+\.)*(?:code|expression)$/.test(text.getText()) ? text : null;
}

function textsIn(file: string, text: string, find = matched): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const code = ts.isCallExpression(node) ? find(node) : null;
    if (code) found.push(code.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function matchedIn(file: string, text: string): string[] {
  return textsIn(file, text).map((code) => `${file.slice(engine.length)}: ${code}`);
}

describe("the text of code", () => {
  it("is matched against no patterns but the listed ones", () => {
    const files = readers.flatMap((folder) => repositoryFiles(`${engine}${folder}/**/*.ts`));
    expect(files.flatMap((file) => matchedIn(file, readRepositoryFile(file))).toSorted()).toEqual(allowed);
  });

  it("is matched against no patterns where lines were changed, but in the listed files", () => {
    const folder = `${engine}changes/`;
    const matching = repositoryFiles(`${folder}*.ts`).filter(
      (file) => textsIn(file, readRepositoryFile(file), textOf).length > 0,
    );
    expect(matching.map((file) => file.slice(folder.length)).toSorted()).toEqual(ofChanges.toSorted());
  });

  it("is matched against no patterns where a signal has an excerpt of it, but in the listed files", () => {
    const folders = ["rank", "report", "signals", "watched"].map((folder) => `${engine}${folder}/`);
    const matching = repositoryFiles(...folders.map((folder) => `${folder}**/*.ts`)).filter(
      (file) => textsIn(file, readRepositoryFile(file), excerptOf).length > 0,
    );
    expect(matching.map((file) => file.slice(engine.length)).toSorted()).toEqual(ofExcerpts);
  });

  it("is found where a pattern is matched against it", () => {
    const matching = ["/a/.test(textOf(node, source))", "source.text.match(/a/)", "/a/.exec(source.line(1))"];
    expect(matching.flatMap((text) => matchedIn(`${engine}a.ts`, text))).toHaveLength(3);
  });
});
