import { type Draft, newDraft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

const title = "APPLICATION FAILED TO START";
const descriptionLinesMax = 40;

/** What Spring Boot prints in place of a stack when it knows why an application didn't start. */
export const springBootFormat: TextFormat = {
  name: "Spring Boot",
  language: "jvm",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const draft = stretch.text(index) === title ? readAnalysis(stretch, index) : null;
      if (draft) drafts.push(draft);
    }
    return drafts;
  },
};

function readAnalysis(stretch: Stretch, index: number): Draft | null {
  const description = headingBelow(stretch, index, "Description:");
  if (description === null) return null;
  const action = headingBelow(stretch, description, "Action:");
  const end = endOf(stretch, action ?? description);
  const message = linesBetween(stretch, description + 1, action ?? end);
  const draft = newDraft(title, message, stretch.span(index, end - 1), { language: "jvm", fatal: true });
  stretch.take(index - 1, end - 1);
  return message === "" ? null : draft;
}

function headingBelow(stretch: Stretch, from: number, heading: string): number | null {
  for (let at = from + 1; at <= from + descriptionLinesMax; at++) if (stretch.text(at) === heading) return at;
  return null;
}

/** Returns the line below the paragraph under a heading. */
function endOf(stretch: Stretch, heading: number): number {
  let at = heading + 1;
  while (at < stretch.length && stretch.text(at) === "") at++;
  while (at < stretch.length && stretch.text(at) !== "") at++;
  return at;
}

function linesBetween(stretch: Stretch, from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, offset) => stretch.text(from + offset).trim());
  return lines.filter((line) => line !== "").join("\n");
}
