/** Wildcards, optional parts, alternatives, lists: such a pattern names no fixed number of segments. */
const variableLength = /[*(){}?+|]|,\//;

/**
 * The whole pattern of a route that a router below some prefix knows as `pattern`: the prefix is what the URL has before
 * the segments that the pattern names. Where it names no fixed number of them, the prefix is `base`.
 */
export function mountedRoute(pattern: string, url: string, base = ""): string {
  if (variableLength.test(pattern)) return base + pattern;
  const [path = ""] = url.split("?", 1);
  const own = segmentsOf(pattern);
  const mountedAt = segmentsOf(path).slice(0, -own.length || undefined);
  return `/${[...mountedAt, ...own].join("/")}`;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
