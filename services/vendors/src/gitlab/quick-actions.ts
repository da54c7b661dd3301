import { markdownLines } from "../conversations/markdown-lines.ts";

/** A line that GitLab would execute, such as `/close`. https://docs.gitlab.com/user/project/quick_actions/ */
const quickAction = /^(\s*)\/(?=\w)/;

/**
 * Returns a note that GitLab shows unchanged without executing anything in it. GitLab executes nothing in code and
 * quotes.
 */
export function withoutQuickActions(markdown: string): string {
  return markdownLines(markdown)
    .map(({ text, kind }) => (kind === "prose" ? text.replace(quickAction, String.raw`$1\/`) : text))
    .join("\n");
}
