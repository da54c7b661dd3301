import { BlockList, isIP } from "node:net";

/** Whether a webhook may be sent to the address. */
export type AddressGuard = (address: string) => boolean;

/**
 * What is no public address: IANA's special-purpose registries for IPv4 and IPv6, multicast, and the prefixes of IPv6
 * that carry an address of IPv4, behind which anything may stand.
 */
const specialV4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
];
/** Of the global ones; all that is not within 2000::/3 is none. */
const specialV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
const globalV6 = ["2000::/3"];

/** Lets public addresses through, and those of the networks that the operator allows, such as `10.0.0.0/8`. */
export function addressGuard(allowedNetworks: readonly string[]): AddressGuard {
  const [allowed, special, global] = [allowedNetworks, [...specialV4, ...specialV6], globalV6].map(listOf);
  return (address) => {
    const family = isIP(address);
    if (family === 0 || !allowed || !special || !global) return false;
    const type = family === 4 ? "ipv4" : "ipv6";
    if (allowed.check(address, type)) return true;
    return !special.check(address, type) && (family === 4 || global.check(address, type));
  };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/", 2);
    list.addSubnet(address, Number(length), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
