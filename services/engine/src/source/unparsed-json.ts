import type { ParsedError } from "../findings/parsed-error.ts";

/** Whether an error's message speaks of JSON, as JavaScript's do when some couldn't be parsed. */
export function isAboutJson({ chain, exceptions }: ParsedError): boolean {
  return chain.some((index) => exceptions[index]?.message.includes("JSON"));
}
