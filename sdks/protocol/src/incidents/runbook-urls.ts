const runbook = /\brunbook(?:_url)?["']?\s*[:=]\s*["']?(https?:\/\/[^\s"'<>]+)/gi;

/** Returns the runbooks that the text of an alert links to, each once. */
export function runbookUrls(text: string): string[] {
  return [...new Set([...text.matchAll(runbook)].flatMap(([, url]) => url ?? []))];
}
