import { addFrame, type Draft, newDraft } from "../draft.ts";
import { placeInProject } from "../printed-place.ts";
import type { Stretch } from "../stretch.ts";

const messageLinesMax = 20;
/** Gradle's script that failed, above what went wrong. */
const script = /^(?:Build|Settings|Initialization script|Script) (?:file )?'(.{1,500})' line: (\d{1,9})$/;
/** Between what went wrong and the stack that says the same. */
const linesToStackMax = 40;
const goal = /^\[ERROR\] Failed to execute goal (.{1,2000}?)(?: -> \[Help \d{1,2}\])?$/;
/** What Maven advises, whatever failed. */
const advice =
  /^\[ERROR\]\s*(?:$|To see the full stack trace|Re-run Maven |For more information about the errors|\[Help \d|-> \[Help \d|After correcting the problems| {2}mvn )/;
const mavensOwn = /^org\.apache\.maven\.[\w.]{1,200}Exception: /;

/** Reads what Gradle says below `* What went wrong:`, unless its stack says so again. */
export function readGradle(stretch: Stretch, index: number): Draft | null {
  if (stretch.text(index) !== "* What went wrong:") return null;
  const said: string[] = [];
  let at = index + 1;
  for (; !/^(?:|={10,200})$/.test(stretch.text(at)) && said.length < messageLinesMax; at++)
    said.push(stretch.text(at).replace(/^[\s>]+/, ""));
  stretch.take(index, at - 1);
  if (hasStack(stretch, at, said[0] ?? "")) return null;
  const draft = newDraft("Error", said.join("\n"), stretch.span(index, at - 1));
  const [, file, line] = script.exec(stretch.text(index - 2)) ?? [];
  if (file !== undefined) addFrame(draft, placeInProject({ file, line }, stretch.span(index - 2)));
  return draft;
}

function hasStack(stretch: Stretch, from: number, message: string): boolean {
  for (let at = from; at < from + linesToStackMax; at++)
    if (stretch.text(at) === "* Exception is:") return stretch.text(at + 1).endsWith(`: ${message}`);
  return false;
}

/** Reads the goal that failed, unless Maven prints its stack below, and takes the lines of advice. */
export function readMaven(stretch: Stretch, index: number): Draft | null {
  const text = stretch.text(index);
  if (!text.startsWith("[ERROR]")) return null;
  if (advice.test(text)) stretch.take(index);
  const message = goal.exec(text)?.[1];
  if (message === undefined || !text.endsWith("]")) return null;
  stretch.take(index);
  if (mavensOwn.test(stretch.text(index + 1))) return null;
  return newDraft("Error", `Failed to execute goal ${message}`, stretch.span(index), { level: "error" });
}
