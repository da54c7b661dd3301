import type { OutboundContext } from "../outbound-context.ts";
import { VendorFailure } from "./vendor-failure.ts";

/** Returns the URL for a vendor's documented one: the same, unless the context redirects it. */
export function vendorAddress(documented: string, { addressOf }: OutboundContext): URL {
  return new URL(addressOf?.(documented) ?? documented);
}

/**
 * Returns the address that a person entered, with its path and without its query. Throws a {@link VendorFailure} when
 * it isn't an HTTP URL.
 */
export function enteredAddress(entered: string): URL {
  const url = URL.parse(entered.trim());
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isUsable) throw new VendorFailure("invalid-input", "the entered address isn't an HTTP URL");
  url.search = "";
  url.hash = "";
  return url;
}
