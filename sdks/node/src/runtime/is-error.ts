import { isNativeError } from "node:util/types";
import { asText, readProperty } from "./read-property.ts";

/**
 * Whether a value is an error: one of V8's from any realm; an instance of a class that inherits from `Error` in another
 * way, such as DOMException or a class in pre-ES2015 style; or a Proxy of an error.
 */
export function isError(value: unknown): value is object {
  if (isNativeError(value)) return true;
  try {
    // Every error has a name; a Proxy that hides all properties has nothing to report.
    return value instanceof Error && readProperty(value, "name") !== undefined;
  } catch {
    // A revoked Proxy throws.
    return false;
  }
}

/** Returns an error as text, for places that hold only text, such as a breadcrumb's data. */
export function errorText(error: object): string {
  return `${asText(readProperty(error, "name"))}: ${asText(readProperty(error, "message"))}`;
}
