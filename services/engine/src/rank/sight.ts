import { languageOfFile } from "../source/languages/languages.ts";
import { isManifest } from "../source/project-names.ts";
import type { FailureView } from "./file-view.ts";

/** What is seen of the code: nothing, only files on the stack, or others too. */
type SeenCode = "text" | "stack" | "wider";

/** For languages with too few recorded failures of their own, which are judged together. */
const otherLanguage = "other";

/** Returns the language of a failure and what is seen of its code, such as `python/stack`: answers are calibrated for each. */
export function sightOf({ error, files }: FailureView): string {
  const printed = error.exceptions[error.chain.at(-1) ?? -1]?.language;
  const language =
    printed ?? files.map(({ name }) => languageOfFile(name)).find((one) => one !== null) ?? otherLanguage;
  return `${language}/${seenCode(files)}`;
}

/** Returns what is seen of the code in a sight. */
export function viewOf(sight: string): string {
  return sight.slice(sight.indexOf("/") + 1);
}

/** Replaces the language of a sight by the one that stands for all languages judged together. */
export function sightOfOtherLanguage(sight: string): string {
  return `${otherLanguage}/${viewOf(sight)}`;
}

function seenCode(files: FailureView["files"]): SeenCode {
  // A manifest names the project; it shows none of the code.
  const given = files.filter(({ name, source }) => source !== null && !isManifest(name));
  if (given.length === 0) return "text";
  return given.every(({ frames }) => frames.length > 0) ? "stack" : "wider";
}
