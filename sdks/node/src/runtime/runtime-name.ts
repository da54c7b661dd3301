/** Returns the runtime of the program. Bun and Deno also report a version of Node. */
export function runtimeName(): "node" | "bun" | "deno" {
  const { bun, deno }: Readonly<Record<string, string | undefined>> = process.versions;
  if (bun !== undefined) return "bun";
  return deno === undefined ? "node" : "deno";
}
