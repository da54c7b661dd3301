import { agentErrors } from "./errors.ts";

/** The default address of a service. */
export const defaultServiceUrl = "http://127.0.0.1:4000";

/** Normalizes a service's address for comparing and storing: no trailing slash, query, or credentials. */
export function serviceAddress(given: string): string {
  const url = parseUrl(given);
  const isAddress = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  // The address may contain a password, so the message doesn't repeat all of it.
  if (!isAddress)
    throw agentErrors.create("WHENCE_ERR_ADDRESS_INVALID", [`"${given.replace(/\/\/.*@/, "//…@").slice(0, 100)}"`]);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
