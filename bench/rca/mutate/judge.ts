import { applyLineEdits } from "../corpora/case-files.ts";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import { errorLine, parseStacks, type StackFrame } from "../corpora/stack.ts";
import type { App } from "./app.ts";
import { categoryOf } from "./category.ts";
import { chooseFiles } from "./choose-files.ts";
import type { Execution } from "./execute.ts";
import { mistakePlace } from "./mistake-place.ts";
import { hashOf, toLineEdits } from "./mutation.ts";
import type { FunctionIndex, NamedFunction } from "./operators/functions.ts";
import { indexFunctions } from "./operators/javascript/mutations.ts";
import { indexPythonFunctions } from "./operators/python/mutations.ts";
import type { Owner } from "./owner.ts";
import type { Site } from "./sites.ts";

const logMaxCharacters = 6000;
const hexRadix = 16;
/** Matches what isn't a program's own failure: a mutation that doesn't parse, or a test's assertion. */
const notAFailure = /AssertionError|ERR_ASSERTION|ERR_ACCESS_DENIED|EACCES|FATAL ERROR|IndentationError|TabError/;
const unparsable =
  /^SyntaxError: (?!.*(does not provide an export|JSON|in position|Unexpected end of|regular expression))/m;

/** Returns a failed run as a case; `undefined` when its output isn't a failure of the mutation. */
export function judge(app: App, folder: string, owner: Owner, site: Site, run: Execution): CorpusCase | undefined {
  const log = shortened(run.stderr.trim());
  const error = errorLine(log, app.language);
  const stacks = parseStacks(log, app.language);
  const frames = stacks.flat();
  const [first] = stacks;
  if (error === undefined || first === undefined || notAFailure.test(log) || isUnparsable(app, log)) return undefined;
  if (!frames.some(({ file }) => file !== undefined) && app.kind === "package") return undefined;
  const { file, source, mutation } = site;
  const edits = toLineEdits(source, mutation.edits);
  const [edit, ...others] = edits;
  if (edit === undefined) return undefined;
  const mutated = applyLineEdits(
    source,
    edits.map((each) => ({ file, ...each })),
  );
  const around = site.functions?.atOffset(mutation.edits[0].start);
  const after = indexOf(file, mutated);
  const lines = mistakePlace([edit, ...others], mutated, around);
  const culprit = around === undefined ? undefined : nearestNamed(after, around.name, lines.line_start);
  const seed = `${owner.name} ${file} ${JSON.stringify(mutation)}`;
  const files = chooseFiles(app, folder, file, log, seed);
  const category = categoryOf(mutation.operator, error);
  return {
    id: `mutant-${owner.name.replace(/^@/, "").replace("/", "-")}-${mutation.operator}-${hashOf(seed).toString(hexRadix)}`,
    corpus: "mutant",
    language: app.language,
    kind: app.kind,
    group: owner.group,
    operator: mutation.operator,
    sources: site.sourcesOf(files),
    test: app.entry,
    log,
    files,
    edits: edits.map((each) => ({ file, ...each })),
    truth: {
      file,
      function: around?.name ?? "",
      ...lines,
      depth: first.findIndex((frame) => isIn(frame, file, culprit, after)),
      on_stack: frames.some((frame) => frame.file === file),
      ...(category === undefined ? {} : { category }),
    },
  };
}

/** Returns the error, and the place where it was thrown without its numbers. */
export function symptomOf(read: CorpusCase): string {
  const [top] = parseStacks(read.log, read.language)[0] ?? [];
  const error = (errorLine(read.log, read.language) ?? "").replace(/\d+/g, "0");
  return [error, top?.file, top?.function].join("\n");
}

/** Returns what makes two cases equal for learning: the function with the mistake, and the symptom. */
export function likenessOf(read: CorpusCase): string {
  return [read.truth.file, read.truth.function, symptomOf(read)].join("\n");
}

function nearestNamed(index: FunctionIndex, name: string, line: number): NamedFunction | undefined {
  const found = index.atLine(line);
  return found?.name === name ? found : undefined;
}

function isIn(frame: StackFrame, file: string, culprit: NamedFunction | undefined, index: FunctionIndex): boolean {
  if (frame.file !== file) return false;
  const found = index.atLine(frame.line);
  if (culprit === undefined) return found === undefined;
  return found?.name === culprit.name && found.lineStart === culprit.lineStart;
}

function indexOf(file: string, text: string): FunctionIndex {
  if (file.endsWith(".py")) return indexPythonFunctions(text);
  if (/\.([cm]?js|ts)$/.test(file)) return indexFunctions(file, text);
  return { atOffset: () => undefined, atLine: () => undefined };
}

function isUnparsable(app: App, log: string): boolean {
  return app.language === "python" ? /^SyntaxError: /m.test(log) : unparsable.test(log);
}

function shortened(log: string): string {
  if (log.length <= logMaxCharacters) return log;
  return log.slice(0, log.lastIndexOf("\n", logMaxCharacters));
}
