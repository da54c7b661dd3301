import type { ParsedError } from "../../findings/parsed-error.ts";
import type { SourceText } from "../../source/source-text.ts";
import { isAboutJson } from "../../source/unparsed-json.ts";
import type { Trail } from "../follow/trail.ts";

/** The position in a message of V8: another one in another version of the file, and with a line and column since Node 22. */
const printedPosition = / at position \d+.*$/;

/** Adds the given data files that can't be parsed, when the error is that some JSON couldn't be read. */
export function findBrokenFiles(error: ParsedError, files: readonly SourceText[], trail: Trail): void {
  if (!isAboutJson(error)) return;
  const messages = error.chain.map((index) => error.exceptions[index]?.message ?? "");
  for (const source of files) {
    const broken = source.name.endsWith(".json") ? breakOf(source) : null;
    if (!broken) continue;
    const place = { kind: "place" as const, file: source.name, line: broken.line, function: null, source };
    const isReported = messages.some((message) => message.includes(broken.problem.replace(printedPosition, "")));
    trail.add({ kind: "broken-file", args: { format: "JSON", problem: broken.problem, isReported } }, place, null);
  }
}

function breakOf(source: SourceText): { line: number; problem: string } | null {
  try {
    JSON.parse(source.text);
    return null;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const position = Number(/at position (\d{1,9})/.exec(problem)?.[1] ?? 0);
    return { line: source.lineAt(Math.min(position, source.text.length)), problem };
  }
}
