import { markdownLines } from "../conversations/markdown-lines.ts";

/** `/close`: what GitLab carries out when a line begins with it. https://docs.gitlab.com/user/project/quick_actions/ */
const quickAction = /^(\s*)\/(?=\w)/;

/** A note that GitLab shows as it is, and carries nothing out of. It carries nothing out in code and in quotes. */
export function withoutQuickActions(markdown: string): string {
  return markdownLines(markdown)
    .map(({ text, kind }) => (kind === "prose" ? text.replace(quickAction, String.raw`$1\/`) : text))
    .join("\n");
}
