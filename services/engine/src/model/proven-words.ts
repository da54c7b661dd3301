import type { ModelFinding } from "../signals/facts/model-finding.ts";

const sentenceUnitsMax = 300;
/** An address, or a link in Markdown or HTML: a reader could follow it. */
const address = /:\/\/|\bwww\.|\]\(|<[a-z!/]/i;
/** Figures, quoted text, and what looks like a name in code. */
const claimed =
  /"[^"]+"|`[^`]+`|[\p{L}_$][\w$]*(?:[./:@-][\w$]+)+|\b\w*_\w+\b|\b\p{Ll}+\p{Lu}\w*\b|\b\p{Lu}{2,}\w*\b|\d+(?:\.\d+)?/gu;

/** Returns whether every figure, quote, and name in a model's sentence is in what it quotes, its place, or the input. */
export function isProven({ sentence, subject, citations }: ModelFinding, input: string): boolean {
  if (sentence.length > sentenceUnitsMax || address.test(sentence)) return false;
  const quoted = citations.flatMap((one) => [one.excerpt, ...(one.kind === "source" ? [`${one.from} ${one.to}`] : [])]);
  const place = subject.kind === "place" ? [subject.file, `${subject.line ?? ""}`] : [];
  const known = [...place, ...quoted, input].join(" ").toLowerCase();
  const claims = sentence.match(claimed) ?? [];
  return claims.every((claim) => known.includes(claim.replace(/^["`]|["`]$/g, "").toLowerCase()));
}
