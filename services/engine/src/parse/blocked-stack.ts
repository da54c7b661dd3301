import type { ProcessExit } from "@whence/protocol";
import type { ParsedError } from "../findings/parsed-error.ts";
import { tellingProcess } from "../process-exit/assess.ts";
import { parseText } from "./parse.ts";

/** Returns the stack that the main thread had while it was blocked, in the form of an error; null when unknown. */
export function blockedStack(exit: ProcessExit): ParsedError | null {
  const stack = tellingProcess(exit)?.mainThreadStack ?? "";
  return stack.trim() === "" ? null : parseText(`Error: the main thread was blocked\n${stack}`);
}
