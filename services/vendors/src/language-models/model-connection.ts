import { enteredAddress, vendorAddress } from "../http/addresses.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";

/** The connection of one provider's object: it reaches only the addresses that were named before. */
export interface ModelConnection {
  /** Allows requests to the origin of a provider's documented address, and returns it without a trailing slash. */
  documented(address: string): string;
  /** The same for an address that a person entered. Throws a {@link VendorFailure} when it isn't an HTTP URL. */
  entered(address: string): string;
  /** A `fetch` that is bounded, and refuses any other origin. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** Opens a connection whose requests end after the time of one answer. */
export function openModelConnection(context: OutboundContext): ModelConnection {
  const { answerWithinMs: timeoutMs, answerBytesMax: bytesMax } = vendorLimits.model;
  const guarded = openGuardedFetch({ mayReach: context.mayReach, timeoutMs, bytesMax });
  const origins = new Set<string>();
  const allow = ({ href, origin }: URL): string => {
    origins.add(origin);
    return href.replace(/\/+$/, "");
  };
  return {
    documented: (address) => allow(vendorAddress(address, context)),
    entered: (address) => allow(enteredAddress(address)),
    async fetch(input, { method, headers, body, signal } = {}) {
      const url = new URL(input instanceof Request ? input.url : input);
      if (!origins.has(url.origin))
        throw new VendorFailure("refused-address", `${url.host} isn't the provider's address`);
      const sent = Object.fromEntries(new Headers(headers));
      return guarded.fetch(url.href, { method: method ?? "GET", headers: sent, body, signal: signal ?? null });
    },
    close: () => guarded.close(),
  };
}
