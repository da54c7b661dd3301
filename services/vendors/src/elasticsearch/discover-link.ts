import type { FailureQuestion } from "../integrations/integration.ts";

/**
 * Returns the address at which Kibana's Discover shows what a query in Lucene's syntax finds in the span, in the data
 * view that it opens first. https://www.elastic.co/docs/explore-analyze/discover
 */
export function discoverLink(kibana: string, query: string, { from, to }: FailureQuestion): string {
  const span = `(time:(from:${text(from)},to:${text(to)}))`;
  const state = `(query:(language:lucene,query:${text(query)}))`;
  return `${kibana}/app/discover#/?_g=${encodeURIComponent(span)}&_a=${encodeURIComponent(state)}`;
}

/** Kibana's state is Rison, in which `!` escapes. */
function text(value: string): string {
  return `'${value.toWellFormed().replaceAll(/['!]/g, "!$&")}'`;
}
