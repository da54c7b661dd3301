import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

const engine = "services/engine/src/";
/** What reads code. Lowerings, tables of dialects, and runtimes' messages have patterns; repairs write code. */
const readers = ["changes", "rank", "trace/code", "trace/faults", "trace/follow", "trace/frames", "watched"];

/** Where it still is, or what is matched isn't code. */
const allowed: readonly string[] = [
  // A feature that models are trained with.
  "rank/file-features.ts: source.text",
  // The words of a report.
  "trace/faults/kept-credentials.ts: textOf(callee, program.source)",
  // Keys of data files.
  "trace/follow/follow-data.ts: source.line(line)",
  "trace/follow/follow-data.ts: source.text",
  // A pattern of the dialect.
  "trace/follow/tracer.ts: textOf(node, source)",
];

const patternFirst: ReadonlySet<string> = new Set(["test", "exec"]);
const textFirst: ReadonlySet<string> = new Set(["match", "matchAll", "replace", "replaceAll", "search"]);
/** White space isn't code. */
const spaces = /^\/\^?(?:\\s[*+]|\[ \\t\]\*)\$?\/g?$/;

/** Returns the text of a file, a line of it, or a node that a pattern is matched against. */
function matched(call: ts.CallExpression): ts.Expression | null {
  if (!ts.isPropertyAccessExpression(call.expression)) return null;
  const { name, expression: on } = call.expression;
  const [first] = call.arguments;
  const [text, pattern] = patternFirst.has(name.text) ? [first, on] : textFirst.has(name.text) ? [on, first] : [];
  if (!text || !pattern || spaces.test(pattern.getText()) || ts.isStringLiteralLike(pattern)) return null;
  return /\bsource\.(?:text|line\()|\btextOf\(/.test(text.getText()) ? text : null;
}

function matchedIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const code = ts.isCallExpression(node) ? matched(node) : null;
    if (code) found.push(`${file.slice(engine.length)}: ${code.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("the text of code", () => {
  it("is matched against no patterns but the listed ones", () => {
    const files = readers.flatMap((folder) => repositoryFiles(`${engine}${folder}/**/*.ts`));
    expect(files.flatMap((file) => matchedIn(file, readRepositoryFile(file))).toSorted()).toEqual(allowed);
  });

  it("is found where a pattern is matched against it", () => {
    const matching = ["/a/.test(textOf(node, source))", "source.text.match(/a/)", "/a/.exec(source.line(1))"];
    expect(matching.flatMap((text) => matchedIn(`${engine}a.ts`, text))).toHaveLength(3);
  });
});
