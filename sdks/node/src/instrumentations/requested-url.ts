const absoluteUrl = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The URL that a server is asked for by what stands in the first line of a request. A proxy is asked for a whole one,
 * or by `CONNECT` for a host and port, which then stand in the place of the path.
 */
export function requestedUrl(server: string, target: string): string {
  if (target.startsWith("/")) return server + target;
  return absoluteUrl.test(target) ? target : `${server}/${target}`;
}
