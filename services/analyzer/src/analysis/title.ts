import { stripVTControlCharacters } from "node:util";
import { parseText } from "@whence/engine";

const titleLengthMax = 200;

/** UTF-16 units read at each end of a text for its title: the error is at one of them. */
const readUnits = 20_000;

/**
 * Returns the error, the alert, or the most informative line, cut at 200 characters. Of several errors, the given files
 * tell which one is investigated.
 */
export function titleOf(text: string, given: readonly { readonly name: string }[] = []): string {
  const line = titleIn(text.slice(0, readUnits), given) ?? titleIn(text.slice(-readUnits), given) ?? firstLine(text);
  if (line === undefined) return "Empty error text";
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…`.toWellFormed() : line;
}

/** Returns what was recognized in a text; null when nothing was. */
function titleIn(text: string, given: readonly { readonly name: string }[]): string | null {
  const { exceptions, chain, alert } = parseText(text, given);
  const head = exceptions[chain[0] ?? -1];
  if (!head) return alert?.summary || alert?.name || null;
  const [message = ""] = head.message.split("\n", 1);
  return message.trim() === "" || message.startsWith(head.type)
    ? message.trim() || head.type
    : `${head.type}: ${message.trim()}`;
}

function firstLine(text: string): string | undefined {
  return stripVTControlCharacters(text.slice(0, readUnits))
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
}
