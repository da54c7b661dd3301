/** Matches wildcards, optional parts, alternatives, and lists, which match a variable number of segments. */
const variableLength = /[*(){}?+|]|,\//;

/**
 * Returns the complete pattern of a route that a mounted router knows as `pattern`. The prefix is the part of the URL
 * before the segments of the pattern; if their number varies, it is `base`.
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
