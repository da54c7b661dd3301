import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";

const filesShownMax = 5;
const errorsShownMax = 3;

/** An error that a reader can find in the text. */
export const namedError = z
  .object({
    type: z.string(),
    /** `file:line` of its innermost own frame; null without one. */
    place: z.string().nullable(),
  })
  .readonly();
export type NamedError = z.output<typeof namedError>;

/** Returns the first few files, and how many more there are. */
export function fileList(files: readonly string[]): string {
  const shown = files.slice(0, filesShownMax).map(inlineCode).join(", ");
  return files.length > filesShownMax ? `${shown} and ${files.length - filesShownMax} more` : shown;
}

/** Returns the first few errors with their places, and how many more there are. */
export function errorList(errors: readonly NamedError[]): string {
  const shown = errors
    .slice(0, errorsShownMax)
    .map(({ type, place }) => (place === null ? inlineCode(type) : `${inlineCode(type)} at ${inlineCode(place)}`));
  return errors.length > errorsShownMax
    ? `${shown.join(", ")}, and ${errors.length - errorsShownMax} more`
    : listed(shown);
}

/** Returns `a`, `a and b`, or `a, b and c`. */
export function listed(shown: readonly string[]): string {
  return [shown.slice(0, -1).join(", "), shown.at(-1) ?? ""].filter((part) => part !== "").join(" and ");
}
