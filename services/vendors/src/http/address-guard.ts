import { BlockList, isIP } from "node:net";

/** Decides whether a webhook may be sent to an address. */
export type AddressGuard = (address: string) => boolean;

/**
 * Addresses that aren't public: IANA's special-purpose registries for IPv4 and IPv6, multicast, and the IPv6 prefixes that
 * embed an IPv4 address, which may be any.
 */
const specialV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Within 2000::/3, which holds all global addresses. */
const specialV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
const globalV6 = ["2000::/3"];

/** Allows public addresses, and those in the networks that the operator allows, such as `10.0.0.0/8`. */
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
