import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

const manifest = z.object({ name: z.string() });
/** The packages of npm, and the Python client, whose manifest only changesets reads. */
const published = repositoryFiles("sdks/*/package.json")
  .map((file) => manifest.parse(JSON.parse(readRepositoryFile(file))))
  .map(({ name }) => name);

describe("the changesets", () => {
  it.each(repositoryFiles(".changeset/*.md"))(
    "name published packages in their front matter, followed by what changed: %s",
    (file) => {
      const [, head = "", text = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(readRepositoryFile(file)) ?? [];
      const bumps = head.split("\n").map((line) => /^"([^"]+)": (?:major|minor|patch)$/.exec(line)?.[1]);
      expect(bumps.length).toBeGreaterThan(0);
      for (const name of bumps) expect(published).toContain(name);
      expect(text.trim()).not.toBe("");
    },
  );
});
