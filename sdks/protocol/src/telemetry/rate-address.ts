const groupsOfAddress = 8;
const groupsOfNetwork = 4;

/**
 * Returns the key of a rate limit per address: an IPv4 address, or the /64 network of an IPv6 address, since one host
 * can have a whole network of addresses.
 */
export function rateAddress(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return address.includes(":") ? `${networkOf(address)}::/64` : address;
}

function networkOf(address: string): string {
  const [head = "", tail] = address.split("::", 2).map((part) => (part === "" ? [] : part.split(":")));
  const zeros = tail === undefined ? 0 : Math.max(0, groupsOfAddress - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...(tail ?? [])];
  return groups
    .slice(0, groupsOfNetwork)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
