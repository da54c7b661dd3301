import type { Clue, ParsedError } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { SourceText } from "../source-text.ts";

/** Files of data among those that were given, when the error is that some JSON could not be read: those that cannot. */
export function findBrokenData(error: ParsedError, files: readonly SourceText[]): Clue[] {
  const isAboutJson = error.chain.some((index) => /JSON/.test(error.exceptions[index]?.message ?? ""));
  if (!isAboutJson) return [];
  return files.flatMap((source) => {
    const broken = source.name.endsWith(".json") ? breakOf(source) : null;
    if (!broken) return [];
    const place = { file: source.name, line: broken.line, function: null, source };
    const says = `${inlineCode(source.name)} is no valid JSON: ${inlineCode(broken.problem)}`;
    return [{ kind: "broken-file", place, subject: source.name, says, steps: 0, how: null, isEnd: true }];
  });
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
