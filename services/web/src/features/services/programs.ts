import { nodePrograms } from "./node-programs.ts";
import type { Program, SnippetValues } from "./program.ts";
import { pythonPrograms } from "./python-programs.ts";

/** Every kind of program that the first-run page has instructions for, those of one client together. */
export const programs: ReadonlyMap<string, Program> = new Map(
  [nodePrograms, pythonPrograms].flatMap((one) => Object.entries<Program>(one)),
);

/** Returns the command that starts the program: the key comes from the environment, never from the code. */
export function startCommand({ start, code }: Program, { key, service, endpoint }: SnippetValues): string {
  if (code) return `WHENCE_API_KEY=${key} ${start}`;
  return [
    `WHENCE_API_KEY=${key} \\`,
    `WHENCE_SERVICE=${shellWord(service)} \\`,
    `WHENCE_ENDPOINT=${endpoint} \\`,
    start,
  ].join("\n");
}

function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
