import { loadBuiltin } from "./load-builtin.ts";

/** Whether this process listens for a debugger. */
export function isDebugged(): boolean {
  const { url }: typeof import("node:inspector") = loadBuiltin("node:inspector");
  return url() !== undefined;
}
