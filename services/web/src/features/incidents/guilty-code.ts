import type { Location } from "@whence/protocol";
import { Lexer, type Token } from "marked";
import { type NumberedCode, readNumberedCode } from "./numbered-code.ts";

export interface GuiltyCode extends NumberedCode {
  readonly language: string;
}

/** The code around the place of a root cause, as the report's analysis quotes it; null when it quotes none. */
export function guiltyCode(analysis: string, location: Location | null): GuiltyCode | null {
  const line = location?.line ?? null;
  if (line === null) return null;
  for (const token of Lexer.lex(analysis)) {
    const code = isCode(token) ? readNumberedCode(token.text) : null;
    if (code?.guilty.has(line) && isCode(token)) return { ...code, language: token.lang ?? "" };
  }
  return null;
}

function isCode(token: Token): token is Token & { type: "code"; text: string; lang?: string } {
  return token.type === "code";
}
