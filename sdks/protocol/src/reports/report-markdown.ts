import type { Incident } from "../incidents/incident.ts";
import { pullRequestName } from "../incidents/pull-request.ts";
import { doNow } from "./do-now.ts";
import { withoutHomeFolders } from "./home-folder.ts";
import { diffBlock, patchText } from "./patch.ts";
import type { Solution } from "./report.ts";

/** Returns the report as text for a ticket or a chat, without the names of home folders. */
export function reportMarkdown(incident: Incident): string {
  const { title, url, service, env, report, status, pull_request: opened } = withoutHomeFolders(incident);
  const head = [
    `# ${plain(title)}`,
    "",
    [service, env, status].flatMap((part) => (part === null ? [] : plain(part))).join(" · "),
    url,
  ];
  if (!report) return `${head.join("\n")}\n`;
  const solutions = (items: readonly Solution[]): string[] =>
    items.map(({ title: name, detail }) => `- **${name}** ${detail}`.trimEnd());
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["Root cause", [report.root_cause_summary, "", `Confidence: ${Math.round(report.confidence.score * 100)}%`]],
    ["Causal chain", report.chain.map(({ what }, index) => `${index + 1}. ${what}`)],
    ["Do now", solutions(doNow(report))],
    ["Patch", report.patch ? [patchText(report.patch), "", diffBlock(report.patch.diff)] : []],
    ["Pull request", opened ? [`${plain(pullRequestName(opened))}: ${opened.url}`] : []],
    ["Prevent it", solutions(report.long_term_solutions)],
    ["Evidence", report.evidence.map(({ id, summary, source }) => `- [${id}] ${summary} (${plain(source.name)})`)],
    ["Not checked", report.not_checked.map((line) => `- ${line}`)],
  ];
  const body = parts
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([name, lines]) => ["", `## ${name}`, "", ...lines]);
  return `${[...head, ...body].join("\n")}\n`;
}

/** What makes a link, an image, code, emphasis, HTML, a table, or a mention in Markdown */
const markup = /[\\`*_[\]<>()#!|~&@]|:(?=\/\/)|(?<=\bwww)\./g;

/** Returns Markdown that shows a text from outside as it is. */
function plain(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(markup, "\\$&");
}
