import type { ParsedError } from "../findings/parsed-error.ts";

/** Returns whether an error's message mentions JSON, as JavaScript's messages do when a parse fails. */
export function isAboutJson({ chain, exceptions }: ParsedError): boolean {
  return chain.some((index) => exceptions[index]?.message.includes("JSON"));
}
