import { isNativeError } from "node:util/types";
import { asText, readProperty } from "./read-property.ts";

/**
 * Whether a value is an error: one of V8's, of whatever realm, or of a class that inherits from `Error` by other means,
 * as a DOMException does, an error of a class from before ES2015, and a Proxy of an error.
 */
export function isError(value: unknown): value is object {
  if (isNativeError(value)) return true;
  try {
    // Every error has a name: a Proxy that lets nothing of it be read says nothing as one.
    return value instanceof Error && readProperty(value, "name") !== undefined;
  } catch {
    // A revoked Proxy refuses to tell.
    return false;
  }
}

/** An error where only text has a place, as in the data of a breadcrumb. */
export function errorText(error: object): string {
  return `${asText(readProperty(error, "name"))}: ${asText(readProperty(error, "message"))}`;
}
