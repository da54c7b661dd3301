import { agentErrors } from "./errors.ts";

/** Where a service listens by default. */
export const defaultServiceUrl = "http://127.0.0.1:4000";

/** The address of a service as it is compared and stored: without a slash at its end, without query or credentials. */
export function serviceAddress(given: string): string {
  const url = parseUrl(given);
  const isAddress = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  // What was given may hold a password: it is not repeated whole.
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
