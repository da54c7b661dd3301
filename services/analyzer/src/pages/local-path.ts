/** The path to go on to after signing in: a path of this site, or its front page. Never another site. */
export function localPath(path: string): string {
  const base = "http://here.invalid";
  const url = URL.parse(path, base);
  return path.startsWith("/") && url?.origin === base ? `${url.pathname}${url.search}` : "/";
}
