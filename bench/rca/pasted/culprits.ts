import type { PastedCase } from "./pasted-case.ts";
import { isCodeOf } from "./printed-frames.ts";

/** Tests, examples, and documentation, which a fix changes along. */
export const testFile =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|docs?|examples?|benchmarks?|fixtures|vendor|node_modules|third_party|[\w-]+-tests?|src\/test)\/|(?:^|\/)(?:test_[^/]*|conftest\.py|[^/]*[._-](?:test|spec)s?\.\w+|[^/]*Tests?\.java|setup\.py)$/;

type Place = PastedCase["culprits"][number];

/** The places in the project's code that a change replaces, from a diff without context. */
export function culpritsIn(diff: string, language: string): Place[] {
  return diff.split(/^diff --git /m).flatMap((part) => {
    const file = /^--- a\/(.+)$/m.exec(part)?.[1];
    if (file === undefined || !isCodeOf(language, file) || testFile.test(file)) return [];
    return [...part.matchAll(/^@@ -(\d+)(?:,(\d+))? \+\S+ @@ ?(.*)$((?:\n[+-].*$)*)/gm)].flatMap(
      ([, from = "1", lines = "1", context = "", changed = ""]) => {
        if (!changed.split("\n").some((line) => isCode(line.slice(1)))) return [];
        const start = Math.max(1, Number(from));
        const end = Math.max(start, start + Number(lines) - 1);
        return [{ file, function: nameIn(context), line_start: start, line_end: end }];
      },
    );
  });
}

function isCode(line: string): boolean {
  return !/^\s*(?:\/\/.*|\/?\*.*|#.*|(?:import|from|use|require)\b.*|)$/.test(line);
}

const declared =
  /\b(?:def|func|function|fn)\s+(?:\([^)]*\)\s*)?(?:self\.)?([\w$?!]+)|([\w$]+)\s*(?:=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>)|\()/;

/** The name of the function that a line begins; empty for a class. */
function nameIn(context: string): string {
  if (/^\s*(?:class|module|interface|type|impl)\b/.test(context)) return "";
  const found = declared.exec(context);
  return found?.[1] ?? found?.[2] ?? "";
}
