import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import type { NamedFunction } from "../ecosystem.ts";

const named = z.array(z.strictObject({ name: z.string(), from: z.number(), to: z.number() }));

/** Returns every function of a file, outer ones first; none for a file that doesn't parse. */
export function functionsOf(text: string): readonly NamedFunction[] {
  const { stdout } = spawnSync("python3", [join(import.meta.dirname, "functions.py")], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return named.parse(JSON.parse(stdout));
}
