/** Returns an `X-Forwarded-For` without the ports that some proxies add to its addresses. */
export function withoutPorts(forwardedFor: string): string {
  return forwardedFor
    .split(",")
    .map((address) => address.trim().replace(/^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2"))
    .join(", ");
}
