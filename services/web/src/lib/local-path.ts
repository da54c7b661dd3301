const base = "http://here.invalid";

/** The path to go on to after signing in: a path of this site, or its front page. Never another site. */
export function localPath(path: string | undefined): string {
  const url = path?.startsWith("/") ? URL.parse(path, base) : null;
  // A parser that has taken the dots out of `/.//evil.example` leaves a path that names another host.
  if (url?.origin !== base || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
