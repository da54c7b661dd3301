import type { FailureQuestion } from "../integrations/integration.ts";

/** A shorter text is in too many issues. */
const textLengthMin = 12;
const textLengthMax = 100;
const errorsMax = 3;

/**
 * Returns texts that an issue about the same failure contains: the longest part of each message without values.
 * Numbers, addresses, and quoted text are values, which differ between failures and may be anyone's.
 */
export function searchedTexts({ errors, route }: Pick<FailureQuestion, "errors" | "route">): readonly string[] {
  const parts = errors.slice(0, errorsMax).map(({ message }) => longestPart(message));
  const texts = [...parts, route ?? ""].filter((text) => text.length >= textLengthMin);
  return [...new Set(texts)];
}

function longestPart(message: string): string {
  const [first = ""] = message.split("\n");
  const parts = first.split(/"[^"]*"|'[^']*'|`[^`]*`|\S*[\d@=]\S*/).map((part) => part.trim().slice(0, textLengthMax));
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? "";
}
