import type { RemedyName } from "../../signals/code/remedy.ts";
import { inlineCode } from "../../words/prose.ts";

/** What a patch changes, as a sentence, by the remedy; `subject` is what it changes, as it is written in the code. */
export const patch: Readonly<Record<RemedyName | "revert", (subject: string) => string>> = {
  await: (subject) => `Awaits ${inlineCode(subject)}, so what follows gets its value and its errors.`,
  export: (subject) => `Exports ${inlineCode(subject)}, which is imported elsewhere.`,
  return: (subject) => `Returns ${inlineCode(subject)}, whose value the caller uses.`,
  key: (subject) => `Uses the name ${inlineCode(subject)}, as the other code does.`,
  field: (subject) => `Sets the field ${inlineCode(subject)} in the constructor.`,
  entry: (subject) => `Adds ${inlineCode(subject)} to the object that is read later.`,
  arguments: (subject) => `Calls ${inlineCode(subject)} with the arguments that its parameters name.`,
  guard: (subject) => `Stops where ${inlineCode(subject)} is missing, as the functions beside this one do.`,
  release: (subject) => `Releases what ${inlineCode(subject)} gives in a \`finally\`, as other code does.`,
  default: (subject) => `Makes the default of ${inlineCode(subject)} in each call, so no call changes that of another.`,
  revert: (release) => `Restores the lines that ${inlineCode(release)} changed here, as they were before it.`,
  type: (subject) => `Keeps ${inlineCode(subject)} as it is, without writing it as JSON and reading it back.`,
};
