import { posix, relative, sep } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { root, siteAddress } from "./site-address.ts";

type Rule = Parameters<MarkdownRenderer["core"]["ruler"]["push"]>[1];
type State = Parameters<Rule>[0];
type Token = State["tokens"][number];

const markdownOfSite = (target: string): string => (target === "README.md" ? "docs/index.md" : target);

/**
 * Makes links lead to the site's pages, wherever the linked file is in the repository. A link to a file that isn't on
 * the site, such as source code, becomes that file's path.
 */
export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", (state) => {
    const env: MarkdownEnv = state.env;
    const folder = posix.dirname(relative(root, env.realPath ?? env.path).replaceAll(sep, "/"));
    for (const block of state.tokens) block.children &&= retarget(state, block.children, folder);
  });
}

function retarget(state: State, tokens: readonly Token[], folder: string): Token[] {
  const written: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    const target = token.type === "link_open" ? localTarget(token, folder) : null;
    if (target === null) {
      written.push(token);
      continue;
    }
    const address = siteAddress(markdownOfSite(target.file));
    if (address !== null) {
      token.attrSet("href", `/${address}${target.hash}`);
      written.push(token);
      continue;
    }
    const end = tokens.findIndex(({ type }, at) => at > index && type === "link_close");
    written.push(...asPath(state, tokens.slice(index + 1, end), target.file));
    index = end;
  }
  return written;
}

/** Returns the file of the repository that a link leads to; null for a heading on its own page or another site. */
function localTarget(link: Token, folder: string): { readonly file: string; readonly hash: string } | null {
  const [path = "", anchor] = (link.attrGet("href") ?? "").split("#");
  if (path === "" || /^[a-z][a-z0-9+.-]*:|^\//i.test(path)) return null;
  return { file: posix.join(folder, path), hash: anchor === undefined ? "" : `#${anchor}` };
}

function asPath(state: State, label: readonly Token[], file: string): Token[] {
  const path = new state.Token("code_inline", "code", 0);
  path.content = file;
  if (label.every(({ type }) => type === "code_inline")) return [path];
  const [before, after] = [" (", ")"].map((content) => Object.assign(new state.Token("text", "", 0), { content }));
  return [...label, before, path, after].filter((token) => token !== undefined);
}
