import { globSync } from "node:fs";
import { join } from "node:path";

/** Absolute path of the repository. */
export const root: string = join(import.meta.dirname, "../..");

/** Files outside of `docs` that are pages of the site, by their paths from the repository's root. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "vulnerabilities.md"],
  ["sdks/agent/README.md", "sdk/agent.md"],
  ["sdks/mcp/README.md", "sdk/mcp.md"],
  ["sdks/node/README.md", "sdk/node.md"],
  ["sdks/python/README.md", "sdk/python.md"],
]);

/**
 * Returns the address of a repository file on the site, such as `sdk/node.md`; null if it isn't there. The root's
 * README links into the repository, `docs/index.md` into the site.
 */
export function siteAddress(file: string): string | null {
  if (/^docs\/(?!node_modules\/).+\.md$/.test(file)) return file.slice("docs/".length);
  return elsewhere.get(file) ?? null;
}

/** Returns the Markdown files of the repository that aren't on the site. */
export function filesOffSite(): string[] {
  const files = globSync("**/*.md", { cwd: root, exclude: (path) => /(^|[\\/])(node_modules|dist)$/.test(path) });
  return files.map((file) => file.replaceAll("\\", "/")).filter((file) => siteAddress(file) === null);
}
