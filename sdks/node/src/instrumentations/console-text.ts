import { boundedData } from "../core/bounded-data.ts";
import { errorText, isError } from "../runtime/is-error.ts";
import { toJson } from "../runtime/json.ts";
import { trimText, withoutColours } from "../runtime/text.ts";

/** What one object among the arguments may say. */
const objectCharactersMax = 1_024;

/**
 * The arguments of a console call as one line, in at most `maximum` characters. Much as the console prints them, but
 * bounded, and without running any code of theirs: no `toString`, no custom inspection.
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

/** Placeholders as in `util.format`; and the index of the last argument that one of them took. */
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
