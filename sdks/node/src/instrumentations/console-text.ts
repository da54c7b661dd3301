import { boundedData } from "../core/bounded-data.ts";
import { errorText, isError } from "../runtime/is-error.ts";
import { toJson } from "../runtime/json.ts";
import { trimText } from "../runtime/text.ts";
import { withoutColours } from "../runtime/without-colours.ts";

/** Characters shown of one object among the arguments. */
const objectCharactersMax = 1_024;

/**
 * Formats the arguments of a console call as one line of at most `maximum` characters. Similar to the console's output,
 * but bounded, and without running their code: no `toString`, no custom inspection.
 */
export function consoleText(args: readonly unknown[], maximum: number): string {
  const [format, ...rest] = args;
  const [text, used] = typeof format === "string" ? substitute(format, rest) : ["", -1];
  const parts = typeof format === "string" ? [text] : [];
  let length = text.length;
  for (const argument of args.slice(used + 1)) {
    if (length > maximum) break;
    const part = wordOf(argument);
    parts.push(part);
    length += part.length + 1;
  }
  return trimText(withoutColours(parts.join(" ")), maximum);
}

/** Replaces placeholders as `util.format` does; also returns the number of values used. */
function substitute(format: string, values: readonly unknown[]): [text: string, used: number] {
  if (values.length === 0 || !format.includes("%")) return [format, 0];
  let next = 0;
  const text = format.replace(/%[sdifjoOc%]/g, (placeholder) => {
    if (placeholder === "%%") return "%";
    if (next >= values.length) return placeholder;
    const value = values[next++];
    if (placeholder === "%c") return "";
    if (/[dif]/.test(placeholder[1] ?? "") && (typeof value === "number" || typeof value === "string")) {
      return String(placeholder === "%i" ? Math.trunc(Number(value)) : Number(value));
    }
    return wordOf(value);
  });
  return [text, next];
}

function wordOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "function") return "[function]";
  if (typeof value !== "object" || value === null) return String(value);
  if (isError(value)) return errorText(value);
  return toJson(boundedData(value, objectCharactersMax).data) ?? "";
}
