import { inlineCode } from "../../../prose.ts";
import type { SourceText } from "../../../source-text.ts";
import { closest } from "../../similar-names.ts";
import type { CodeProgram } from "./program.ts";
import { anyKey, type Tracing } from "./subject.ts";

const dataFile = /\.(?:json|ya?ml|toml|properties|ini|conf|cfg|env)$|(?:^|\/)\.env/;
const keyLine = /^[ \t]*(?:-[ \t]+)?(?:export )?["']?([\w.$-]{1,60})["']?[ \t]*[:=]/;
const anyQuotedKey = /"([\w.$-]{1,60})"\s{0,4}:/g;
const keysMax = 2_000;

interface DataKey {
  readonly key: string;
  readonly line: number;
}

/**
 * The line of a key in the data files that were given, or of one that is spelled almost like it. That a file lacks it
 * is only said when the value is known to come from data (`isData`).
 */
export function followData(
  trace: Tracing,
  program: CodeProgram,
  path: readonly string[],
  steps: number,
  isData: boolean,
): void {
  const key = path.findLast((one) => one !== anyKey && !/^\d+$/.test(one));
  if (key === undefined) return;
  const files = dataFilesOf(trace, program);
  for (const { source, keys } of files) {
    const own = keys.find((one) => one.key === key || one.key.endsWith(`.${key}`));
    if (!own) continue;
    const says = `the value of ${inlineCode(key)} comes from ${inlineCode(source.name)}: ${inlineCode(source.line(own.line).trim())}`;
    trace.log.push(placeOf(source, own.line), "data", key, says, steps);
    return;
  }
  for (const { source, keys } of files) {
    const alike = closest(
      keys.map((one) => one.key),
      key,
    );
    const twin = keys.find((one) => one.key === alike);
    if (!twin || alike === null) continue;
    const says = `${inlineCode(source.name)} has no ${inlineCode(key)}, but ${inlineCode(alike)}: the name is misspelled`;
    trace.log.push(placeOf(source, twin.line), "setting", key, says, steps);
    return;
  }
  const [first] = files;
  if (!isData || !first || files.length > 1) return;
  const says = `${inlineCode(first.source.name)} has no ${inlineCode(key)}`;
  trace.log.push(placeOf(first.source, first.source.firstLine), "missing-key", key, says, steps);
}

/** Those that the code names come first: a lock file beside them has keys too, and nobody reads it. */
function dataFilesOf(trace: Tracing, program: CodeProgram): { source: SourceText; keys: readonly DataKey[] }[] {
  const given = trace.programs.files.all.filter(({ name }) => dataFile.test(name));
  const isNamed = (source: SourceText): boolean => {
    const base = source.name.split("/").at(-1) ?? "";
    return trace.programs.all().some((one) => one.source.text.includes(base)) || program.source.text.includes(base);
  };
  const named = given.filter(isNamed);
  return (named.length > 0 ? named : given).map((source) => ({ source, keys: keysOf(source) }));
}

function keysOf(source: SourceText): DataKey[] {
  if (source.name.endsWith(".json"))
    return [...source.text.matchAll(anyQuotedKey)]
      .slice(0, keysMax)
      .map(({ 1: key = "", index }) => ({ key, line: source.lineAt(index) }));
  const keys: DataKey[] = [];
  for (let line = source.firstLine; line <= source.lastLine && keys.length < keysMax; line++) {
    const key = keyLine.exec(source.line(line))?.[1];
    if (key !== undefined) keys.push({ key, line });
  }
  return keys;
}

function placeOf(source: SourceText, line: number) {
  return { file: source.name, line, function: null, source };
}
