const absoluteUrl = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Returns the URL requested from a server, from the target in the request's first line. A proxy gets a complete URL, or
 * for `CONNECT` a host and port.
 */
export function requestedUrl(server: string, target: string): string {
  if (target.startsWith("/")) return server + target;
  return absoluteUrl.test(target) ? target : `${server}/${target}`;
}
