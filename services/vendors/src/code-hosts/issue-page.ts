/**
 * Returns what a pattern captures of an address below another one, such as the repository of an issue's page; null when
 * the address isn't below it, or doesn't match.
 */
export function capturedBelow(base: string, address: string, pattern: RegExp): string | null {
  const { href } = new URL(address);
  return href.startsWith(`${base}/`) ? (pattern.exec(href.slice(base.length + 1))?.[1] ?? null) : null;
}
