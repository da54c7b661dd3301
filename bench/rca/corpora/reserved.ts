import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { z } from "zod";

const listFile = join(import.meta.dirname, "reserved.json");
const { names, repositories } = z
  .strictObject({ names: z.array(z.string()), repositories: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(listFile, "utf8")));

/**
 * Whether a package of any registry is kept apart for measuring, by its name or by its repository (`owner/name`): the
 * engine is scored on failures of these, so no case of theirs may train it.
 */
export function isReserved(name: string, repository = ""): boolean {
  const inList = (list: readonly string[], value: string): boolean =>
    list.some((pattern) => matchesGlob(value.toLowerCase(), pattern));
  return inList(names, name) || inList(repositories, repository);
}
