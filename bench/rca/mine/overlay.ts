import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "./ecosystem.ts";

/** Overwrites files of the installed package; null deletes one. */
export function overlay(environment: Environment, texts: ReadonlyMap<string, string | null>): void {
  for (const [file, text] of texts) {
    const path = join(environment.installed, file);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path, { force: true });
    else writeFileSync(path, text);
  }
}

/** Undoes what `overlay` did to `files`. */
export function restore(environment: Environment, files: Iterable<string>): void {
  const texts = [...files].map((file) => {
    const original = join(environment.pair.olderFolder, file);
    return [file, existsSync(original) ? readFileSync(original, "utf8") : null] as const;
  });
  overlay(environment, new Map(texts));
}
