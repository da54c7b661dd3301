import type { RemedyName } from "../../signals/code/remedy.ts";
import { inlineCode } from "../../words/prose.ts";

/** What a patch changes, as a sentence, by the remedy; `subject` is what it changes, as it is written in the code. */
export const patch: Readonly<Record<RemedyName, (subject: string) => string>> = {
  await: (subject) => `Awaits ${inlineCode(subject)}, so what follows gets its value and its errors.`,
};
