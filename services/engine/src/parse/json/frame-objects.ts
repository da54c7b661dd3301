import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { type Language, languageOfFile, tableOf } from "../../source/languages/languages.ts";
import { framesMax } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import { fieldOf, itemsOf, scalarOf, textOf } from "./fields.ts";
import type { JsonNode, JsonObject } from "./json-reader.ts";
import type { LineText } from "./line-text.ts";

const fileNames = ["filename", "file", "fileName", "abs_path", "path", "File", "file_name", "source"];
const lineNames = ["lineno", "line", "lineNumber", "line_number", "Line", "line_no"];
const columnNames = ["colno", "column", "columnNumber", "col"];
const functionNames = ["function", "name", "method", "methodName", "func", "Function", "call"];
const ownerNames = ["class", "className", "declaringClass", "module"];

/** A frame, and the language that its file shows. */
export type ObjectFrame = ParsedFrame & { readonly language: Language | null };

/** Returns frames that were serialized as objects, innermost first: structlog, Sentry, log4j, Logstash, Bugsnag. */
export function framesOf(stack: JsonNode | null, text: LineText): ObjectFrame[] {
  const list = stack?.kind === "object" ? fieldOf(stack, ["frames"]) : stack;
  const objects = itemsOf(list).filter((item) => item.kind === "object");
  const frames = objects.map((object) => readFrame(object, text)).filter((frame) => frame !== null);
  // Python's order, which Sentry uses for all languages: the innermost call is last.
  const isOldestFirst = objects.some(({ entries }) => entries.has("lineno"));
  return (isOldestFirst ? frames.reverse() : frames).slice(0, framesMax);
}

function readFrame(object: JsonObject, text: LineText): ObjectFrame | null {
  const path = textOf(object, fileNames);
  const name = textOf(object, functionNames);
  if (path === null && name === null) return null;
  const line = Number(scalarOf(object, lineNames));
  const column = Number(scalarOf(object, columnNames));
  const owner = textOf(object, ownerNames);
  const language = languageOfFile(path ?? "");
  const file = path === null ? null : normalizePath(path);
  const qualified = owner === null ? name : `${owner}.${name ?? ""}`;
  const inApp = scalarOf(object, ["in_app", "inProject"]);
  const { printsClasses } = tableOf(language);
  const origin = frameOrigin(file, language, qualified, path);
  return {
    function: printsClasses ? (qualified?.split(".").slice(-2).join(".") ?? null) : name === "<module>" ? null : name,
    file: printsClasses && owner !== null && file !== null ? [...owner.split(".").slice(0, -1), file].join("/") : file,
    line: line > 0 ? line : null,
    column: column > 0 ? column : null,
    origin: origin === "app" && inApp === false ? "dependency" : origin,
    ...(inApp === false && { disowned: true }),
    async: false,
    printed: text.spanOf(object),
    context: null,
    language,
  };
}
