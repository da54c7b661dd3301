import ts from "typescript";
import { inlineCode } from "../../../prose.ts";
import type { SourceText } from "../../../source-text.ts";
import { keyLike, positionOfKey } from "../../similar-names.ts";
import { anyKey, findBinding } from "./bindings.ts";
import { findExport } from "./modules.ts";
import { isFunction } from "./program.ts";
import type { Subject, Tracing } from "./subject.ts";

/** Modules that hold what the process was told when it was started. */
const settingModules = /(?:config|settings?|env|environment|options)(?:\.[cm]?[jt]s)?$/i;

export function followImport(
  trace: Tracing,
  subject: Subject,
  specifier: string,
  exported: string,
  into: readonly string[],
  steps: number,
): void {
  const path = [...into, ...subject.path];
  const isWhole = exported === "default" || exported === "*";
  const [key, ...rest] = path;
  const part = isWhole && key !== undefined ? findExport(trace.programs, subject.program, specifier, key) : null;
  const found = part ?? findExport(trace.programs, subject.program, specifier, exported);
  if (!found) {
    noteUnseen(trace, subject, specifier, key ?? exported, steps);
    return;
  }
  if (found.kind === "data") {
    noteData(trace, found.source, path, steps);
    return;
  }
  const inner = { ...subject, program: found.program, frame: null, via: null, path: part ? rest : path };
  if (found.kind === "name") {
    const binding = findBinding(found.program, found.name, found.at);
    if (binding) trace.binding(inner, binding, found.name, steps);
  } else if (!isFunction(found.node) && !ts.isClassLike(found.node)) trace.value({ ...inner, node: found.node }, steps);
}

/** The module was not given: only its name tells what it holds. */
function noteUnseen(trace: Tracing, { program, node }: Subject, specifier: string, key: string, steps: number): void {
  const isKnown = trace.programs.files.resolve(program.source.name, specifier) !== null;
  if (isKnown || !specifier.startsWith(".") || key === "default" || !settingModules.test(specifier)) return;
  const says = `${inlineCode(key)} is a setting, read from ${inlineCode(specifier)} (its source is not at hand)`;
  trace.log.note(program, node, "setting", key, says, steps);
}

/** A file that is data: the line of the key, of one that is spelled alike, or its first. */
export function noteData(trace: Tracing, source: SourceText, path: readonly string[], steps: number): void {
  const key = path.findLast((one) => one !== anyKey) ?? null;
  const at = key === null ? -1 : positionOfKey(source.name, source.text, key);
  const name = inlineCode(source.name);
  const place = { file: source.name, line: at < 0 ? source.firstLine : source.lineAt(at), function: null, source };
  if (key === null || at >= 0 || path.includes(anyKey)) {
    // With a key that is computed it is the key that missed.
    const how = path.includes(anyKey) ? "import" : "data";
    trace.log.push(place, how, key ?? source.name, `the value comes from ${name}`, steps);
    return;
  }
  const alike = keyLike(source.name, source.text, key);
  if (alike === null) trace.log.push(place, "missing-key", key, `${name} has no ${inlineCode(key)}`, steps);
  else {
    const line = source.lineAt(Math.max(0, positionOfKey(source.name, source.text, alike)));
    const says = `${name} has no ${inlineCode(key)}, but ${inlineCode(alike)}: the name is misspelled`;
    trace.log.push({ ...place, line }, "setting", key, says, steps);
  }
}
