import type { Incident, Patch, Report } from "@whence/protocol";
import { markdownOf, oneLine } from "@whence/vendors";
import type { PatchedFile } from "./patched-files.ts";

/** The first line of a commit is shown whole up to this length. */
const titleLengthMax = 72;
const sentenceLengthMax = 500;
/** GitHub takes 65,536. */
const bodyLengthMax = 60_000;

interface Proposed {
  readonly incident: Pick<Incident, "url">;
  readonly report: Report;
  readonly patch: Patch;
  readonly files: readonly PatchedFile[];
  /** The branch that it would change. */
  readonly base: string;
  /** The member who opens it. */
  readonly by: string;
}

/** The texts of a pull request. */
export interface PullRequestText {
  readonly title: string;
  /** Markdown in which texts from outside mention no one, and close nothing. */
  readonly body: string;
  readonly commitMessage: string;
}

/** Returns what a pull request says: the cause, what it changes, how that was checked, and the incident. */
export function pullRequestText({ incident, report, patch, files, base, by }: Proposed): PullRequestText {
  const title = oneLine(patch.what, sentenceLengthMax).replace(/\.$/, "");
  const shown = oneLine(title, titleLengthMax);
  const paragraph = (label: string, text: string) => ({ kind: "paragraph", label, text }) as const;
  const body = markdownOf(
    {
      purpose: "answer",
      headline: oneLine(report.root_cause_summary, sentenceLengthMax),
      parts: [
        paragraph("Change", oneLine(patch.what, sentenceLengthMax)),
        paragraph("Checked", checkedText(files, base)),
        paragraph("Not checked", "The change wasn't run. Run the tests, and add one that fails without it."),
        { kind: "facts", facts: [`Opened by ${by}`] },
      ],
      link: { text: "Open the incident", url: incident.url },
    },
    bodyLengthMax,
  );
  return { title: shown, body, commitMessage: `${shown}\n\nIncident: ${incident.url}` };
}

function checkedText(files: readonly PatchedFile[], base: string): string {
  const changed = files.filter(({ isSame }) => !isSame).map(({ path }) => path);
  const applies =
    changed.length === 0
      ? `The files on ${base} are exactly those that the report is about.`
      : `The diff applies to ${base} without fuzz, though ${changed.join(" and ")} changed since the code that the report is about.`;
  return `${applies} On that code, the result parses, and only files on the causal chain or the stack change.`;
}
