import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

const configSchema = z.object({
  extends: z.string().optional(),
  references: z.array(z.object({ path: z.string() })).default([]),
});

/** What each stage of the image copies from the repository, by the stage's first line. */
const stages = readRepositoryFile("Dockerfile")
  .split(/^FROM /m)
  .slice(1)
  .map((stage) => {
    const copies = [...stage.matchAll(/^COPY (?!--from)(.+)$/gm)];
    return {
      name: stage.split("\n", 1)[0],
      sources: copies.flatMap(([, paths = ""]) => paths.split(/\s+/).slice(0, -1)),
    };
  });

/** Returns the files that a configuration of TypeScript needs beside it. */
function neededBy(file: string): string[] {
  const { extends: base, references } = configSchema.parse(JSON.parse(readRepositoryFile(file)));
  const others = references.map(({ path }) => join(path, "tsconfig.json"));
  return [...(base === undefined ? [] : [base]), ...others].map((path) => join(dirname(file), path));
}

describe("Dockerfile", () => {
  // What bundles the page stops where one is missing.
  it.each(stages)("copies with a configuration of TypeScript those it refers to: $name", ({ sources }) => {
    const isCopied = (file: string): boolean =>
      sources.some((source) => source === file || file.startsWith(`${source}/`));
    const configs = repositoryFiles("**/tsconfig*.json").filter(isCopied);
    // `.dockerignore` leaves tests out, and what builds a client doesn't read theirs.
    const needed = configs.flatMap(neededBy).filter((file) => !file.startsWith("test/"));
    expect(needed.filter((file) => !isCopied(file))).toEqual([]);
  });
});
