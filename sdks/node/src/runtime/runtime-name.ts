/** Returns what runs the program. Bun and Deno claim a version of Node's as well. */
export function runtimeName(): "node" | "bun" | "deno" {
  const { bun, deno }: Readonly<Record<string, string | undefined>> = process.versions;
  if (bun !== undefined) return "bun";
  return deno === undefined ? "node" : "deno";
}
