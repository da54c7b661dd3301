import type { ModelFinding } from "../signals/facts/model-finding.ts";

const sentenceUnitsMax = 300;
/** An address, or a link in Markdown or HTML: a reader could follow it. */
const address = /:\/\/|\bwww\.|\]\(|<[a-z!/]/i;
/** Figures, quoted text, and what looks like a name in code. */
const claimed =
  /"[^"]+"|`[^`]+`|[\p{L}_$][\w$]*(?:[./:@-][\w$]+)+|\b\w*_\w+\b|\b\p{Ll}+\p{Lu}\w*\b|\b\p{Lu}{2,}\w*\b|\d+(?:\.\d+)?/gu;

/** Returns whether every figure, quote, and name in a model's sentence is in what it quotes, its place, or the input. */
export function isProven({ sentence, subject, citations }: ModelFinding, input: string): boolean {
  const quoted = citations.flatMap((one) => [one.excerpt, ...(one.kind === "source" ? [`${one.from} ${one.to}`] : [])]);
  const place = subject.kind === "place" ? [subject.file, `${subject.line ?? ""}`] : [];
  return saysOnly(sentence, [...place, ...quoted, input].join(" "));
}

/** Returns whether a sentence is short, links to nothing, and has no figure, quote, or name that isn't known. */
export function saysOnly(sentence: string, known: string): boolean {
  if (sentence.length > sentenceUnitsMax || address.test(sentence)) return false;
  const lower = known.toLowerCase();
  const claims = sentence.match(claimed) ?? [];
  return claims.every((claim) => lower.includes(claim.replace(/^["`]|["`]$/g, "").toLowerCase()));
}
