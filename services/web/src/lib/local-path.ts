const base = "http://here.invalid";

/** Returns the path to open after signing in: a path of this site, or its front page. Never another site. */
export function localPath(path: string | undefined): string {
  const url = path?.startsWith("/") ? URL.parse(path, base) : null;
  // After a parser has removed the dots from `/.//evil.example`, the path names another host.
  if (url?.origin !== base || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
