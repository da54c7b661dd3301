import type { Evidence, Report } from "@whence/protocol";
import type { MessagePart } from "@whence/vendors";
import { messageLimits } from "../message-limits.ts";
import { placeText } from "../step-text.ts";

const { quotesMax, quoteLengthMax } = messageLimits;

/** Quotes the first pieces of evidence by their ids, in this order, each once. */
export function quotesOf(
  { evidence }: Report,
  ids: readonly string[],
  max: number = quotesMax,
): readonly MessagePart[] {
  const byId = new Map(evidence.map((one) => [one.id, one]));
  return [...new Set(ids)]
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ excerpt }) => excerpt.trim() !== "")
    .slice(0, max)
    .map(quoteOf);
}

/** Whether the service itself composed the excerpt: it is JSON, which no one reads on a phone. */
export function isComputed({ excerpt, source }: Pick<Evidence, "excerpt" | "source">): boolean {
  return excerpt.startsWith("{") && source.kind !== "integration";
}

/** Quotes a piece of evidence, bounded, with where it is from. */
export function quoteOf(evidence: Evidence): Extract<MessagePart, { readonly kind: "quote" }> {
  const { source, location } = evidence;
  const where = location && source.kind === "source_file" ? placeText(location) : source.name;
  const version = source.version === undefined ? "" : ` (${source.version})`;
  return {
    kind: "quote",
    text: cut(isComputed(evidence) ? evidence.summary.replaceAll("`", "") : evidence.excerpt),
    source: `${where}${version}`,
    url: source.url ?? null,
  };
}

/** Returns as many whole lines as fit; a first line that is too long is cut. */
function cut(excerpt: string): string {
  const text = excerpt.replace(/^\s*\n/, "").trimEnd();
  if (text.length <= quoteLengthMax) return text;
  const fitting = text.slice(0, quoteLengthMax - 1);
  const end = fitting.lastIndexOf("\n");
  return `${end > 0 ? fitting.slice(0, end) : fitting.toWellFormed()}\n…`.slice(0, quoteLengthMax);
}
