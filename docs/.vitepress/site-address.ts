import { globSync } from "node:fs";
import { join } from "node:path";

/** Absolute path of the repository. */
export const root: string = join(import.meta.dirname, "../..");

/** Files outside of `docs` that are pages of the site too, by their paths from the root of the repository. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "vulnerabilities.md"],
  ["sdks/agent/README.md", "sdk/agent.md"],
  ["sdks/mcp/README.md", "sdk/mcp.md"],
  ["sdks/node/README.md", "sdk/node.md"],
]);

/**
 * Returns where a file of the repository is on the site, such as `sdk/node.md`; null if it isn't there.
 * The root's README leads into the repository, `docs/index.md` into the site.
 */
export function siteAddress(file: string): string | null {
  if (/^docs\/(?!node_modules\/).+\.md$/.test(file)) return file.slice("docs/".length);
  return elsewhere.get(file) ?? null;
}

/** Markdown of the repository that is no page of the site. */
export function filesOffSite(): string[] {
  const files = globSync("**/*.md", { cwd: root, exclude: (path) => /(^|[\\/])(node_modules|dist)$/.test(path) });
  return files.map((file) => file.replaceAll("\\", "/")).filter((file) => siteAddress(file) === null);
}
