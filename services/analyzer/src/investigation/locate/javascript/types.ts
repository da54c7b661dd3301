import type { Token } from "./tokens.ts";

/** Types longer than this are left in place: a type argument or an assertion is short. */
const typeTokensMax = 60;
const typePunctuation: ReadonlySet<string> = new Set([
  ".",
  ",",
  "[",
  "]",
  "|",
  "&",
  "{",
  "}",
  ":",
  ";",
  "<",
  ">",
  "?",
  "(",
  ")",
  "=>",
  "...",
]);
const operandEnds: ReadonlySet<string> = new Set([")", "]", "}"]);

/**
 * The tokens without TypeScript's type arguments of calls, assertions (`as T`, `satisfies T`, `x!`) and the `!` after a
 * name, so that what is left reads as JavaScript. Annotations of variables and parameters stay.
 */
export function withoutTypes(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token) break;
    const skipped = lengthOfType(tokens, index);
    if (skipped === 0) kept.push(token);
    index += Math.max(1, skipped);
  }
  return kept;
}

function lengthOfType(tokens: readonly Token[], index: number): number {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (!token || !before) return 0;
  if (token.text === "<" && before.kind === "word" && before.end === token.start)
    return lengthOfArguments(tokens, index);
  if (token.text === "!" && token.start === before.end && endsOperand(before))
    return isPostfix(tokens[index + 1]) ? 1 : 0;
  const isAssertion =
    (token.text === "as" || token.text === "satisfies") && token.kind === "word" && endsOperand(before);
  return isAssertion ? lengthOfAssertion(tokens, index) : 0;
}

function endsOperand({ kind, text }: Token): boolean {
  return kind === "punctuation" ? operandEnds.has(text) : text !== "import" && text !== "export" && text !== "{";
}

function isPostfix(next: Token | undefined): boolean {
  return next !== undefined && [".", ")", "]", ",", ";", "[", "}"].includes(next.text);
}

/** `<A, B>` before `(`: up to the closing bracket. */
function lengthOfArguments(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < Math.min(tokens.length, open + typeTokensMax); index++) {
    const token = tokens[index];
    if (!token || (token.kind === "punctuation" && !typePunctuation.has(token.text))) return 0;
    if (token.text === "<") depth++;
    if (token.text === ">" && --depth === 0) return tokens[index + 1]?.text === "(" ? index - open + 1 : 0;
  }
  return 0;
}

/** `as T`: a name with its members and arguments, a literal or an object, then `[]` and what is joined by `|` and `&`. */
function lengthOfAssertion(tokens: readonly Token[], start: number): number {
  const first = tokens[start + 1];
  if (!first || (first.kind === "punctuation" && !["{", "(", "["].includes(first.text))) return 0;
  // `import { a as b }` renames.
  if (first.kind === "word" && ["}", ","].includes(tokens[start + 2]?.text ?? "") && isRenaming(tokens, start))
    return 0;
  let depth = 0;
  let index = start + 1;
  for (; index < Math.min(tokens.length, start + typeTokensMax); index++) {
    const text = tokens[index]?.text ?? "";
    const isOpening = ["{", "(", "[", "<"].includes(text);
    if (isOpening) depth++;
    else if (["}", ")", "]", ">"].includes(text)) {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && !continuesType(tokens, index)) break;
  }
  return index - start;
}

function continuesType(tokens: readonly Token[], index: number): boolean {
  const text = tokens[index]?.text ?? "";
  if ([".", "|", "&"].includes(text)) return true;
  const before = tokens[index - 1]?.text ?? "";
  return ["as", "satisfies", ".", "|", "&", "keyof", "typeof", "readonly"].includes(before);
}

function isRenaming(tokens: readonly Token[], at: number): boolean {
  const namesMax = 200;
  for (let index = at; index >= 0 && at - index < namesMax; index--) {
    const text = tokens[index]?.text;
    if (text === "import" || text === "export") return true;
    if (text === ";" || text === "(" || text === "=") return false;
  }
  return false;
}
