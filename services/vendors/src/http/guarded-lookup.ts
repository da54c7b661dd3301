import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { isIP } from "node:net";
import type { AddressGuard } from "./address-guard.ts";

/** The host has no address that may be reached. The message says what to do. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(
      `${host} has no public address: the operator allows a network, for example 10.0.0.0/8, by WHENCE_ALLOWED_NETWORKS`,
    );
    this.name = "AddressRefused";
  }
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Resolves names like the system, but only to addresses that may be reached. Pass it to the connection itself: a host
 * that is resolved only once can't lead elsewhere the second time (DNS rebinding).
 */
export function guardedLookup(mayReach: AddressGuard) {
  return (hostname: string, options: LookupOptions, done: LookupCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error ? [] : found.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (error) done(error, "");
      else if (!first) done(new AddressRefused(hostname), "");
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

/**
 * Throws when a URL's host is an address that may not be reached, because connections to a literal address make no
 * lookup.
 */
export function requireReachableHost({ hostname }: URL, mayReach: AddressGuard): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !mayReach(host)) throw new AddressRefused(host);
}
