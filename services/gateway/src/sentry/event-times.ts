/** Returns a time of Sentry's clients, seconds since 1970 or RFC 3339, as RFC 3339 in UTC; undefined if it is neither. */
export function timeOf(time: number | string | undefined): string | undefined {
  if (time === undefined) return undefined;
  const date = new Date(typeof time === "number" ? time * 1_000 : withZone(time));
  const isWritable = date.getTime() >= 0 && date.getUTCFullYear() <= 9_999;
  return isWritable ? date.toISOString() : undefined;
}

/** Some clients leave the zone out, which is UTC. */
function withZone(text: string): string {
  return /T[\d:.]+$/.test(text) ? `${text}Z` : text;
}
