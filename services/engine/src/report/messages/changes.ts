import type { LastChange, ReleaseChange, ReleaseComparison } from "../../findings/release-change.ts";
import { count, inlineCode, list, placeText } from "../../words/prose.ts";
import type { ShownChange } from "../link.ts";
import { nameOf } from "./release-names.ts";

/** What a release changed, as a predicate: `` renamed `amount` to `total` in `body.ts:7` ``. */
export function changedText({ told, place }: Pick<ShownChange, "told" | "place">): string {
  const file = inlineCode(place.file);
  switch (told.kind) {
    case "line":
    case "function":
      return `changed ${placeText(place)}`;
    case "only":
      return `changed only ${list([placeText(place), ...told.others.map(inlineCode)])}`;
    case "name":
      if (told.renamedTo !== null)
        return `renamed ${inlineCode(told.name)} to ${inlineCode(told.renamedTo)} in ${placeText(place)}`;
      return told.change === "removed"
        ? `removed ${inlineCode(told.name)} from ${file}`
        : `changed how ${placeText(place)} makes ${inlineCode(told.name)}`;
    case "setting":
      return told.change === "added"
        ? `started reading ${inlineCode(told.name)} in ${placeText(place)}`
        : `stopped reading ${inlineCode(told.name)} in ${file}`;
    case "dependency":
      return dependencyText(inlineCode(told.name), told);
  }
}

function dependencyText(
  name: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): string {
  if (from === null) return `added the dependency ${name}`;
  if (to === null) return `removed the dependency ${name}`;
  return `changed the dependency ${name} from ${inlineCode(from)} to ${inlineCode(to)}`;
}

/** `` (commit `1a2b3c4` by `Ada`) ``, behind what it changed; empty when the commit isn't known. */
export function commitText(commit: ReleaseChange["commit"]): string {
  if (commit === null) return "";
  const of = `commit ${shortId(commit.id)} by ${inlineCode(commit.author)}`;
  return commit.of === "change" ? ` (${of})` : ` (built from ${of})`;
}

/** The beginning of a commit's id, as code. */
export function shortId(id: string): string {
  return inlineCode(id.slice(0, shortIdLength));
}

const shortIdLength = 7;

/** What lies between two releases, as evidence says it. */
export function comparisonText(comparison: ReleaseComparison): string {
  const { previous, files, isWhole, commits } = comparison;
  const [last] = commits;
  const amount = `${isWhole ? "" : "at least "}${count(files, "file")}`;
  const by = last
    ? `; its last commit is ${shortId(last.id)} by ${inlineCode(last.author)}: ${inlineCode(last.subject)}`
    : "";
  return `${nameOf(comparison)} differs from ${inlineCode(previous)} in ${amount}${by}`;
}

/** Which commit changed some lines last, as evidence says it. */
export function lastChangeText({ path, from, to, commit: { id, author, subject, at } }: LastChange): string {
  const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  return `${lines} of ${inlineCode(path)} last changed at ${at}, in commit ${shortId(id)} by ${inlineCode(author)}: ${inlineCode(subject)}`;
}

/** Where a hunk stands, as evidence says it. */
export function changeText(change: ReleaseChange): string {
  const { path, previous, hunk, commit } = change;
  const where = placeText({ file: path, line: Math.max(1, hunk.to), function: null });
  return `${nameOf(change)} differs from ${inlineCode(previous)} at ${where}${commitText(commit)}`;
}
