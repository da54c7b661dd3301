import type { ParsedError } from "../../findings/parsed-error.ts";
import type { SourceText } from "../../source/source-text.ts";
import type { Trail } from "../follow/trail.ts";

const importedFrom = /Cannot find (?:module|package) '([^'\n]{1,300})' imported from '?([^\s']{1,300})/;
const requireStack = /Cannot find module '([^'\n]{1,300})'\s+Require stack:\s+- ([^\n]{1,300})/;

/**
 * Adds the places that import a missing module. Node.js names the importing file in the message, and prints no frame of
 * it.
 */
export function findMissingModules(error: ParsedError, files: readonly SourceText[], trail: Trail): void {
  for (const index of error.chain) {
    const message = error.exceptions[index]?.message ?? "";
    const [, module, importer] = importedFrom.exec(message) ?? requireStack.exec(message) ?? [];
    if (module === undefined || importer === undefined) continue;
    const source = fileNamed(importer, files);
    const value = [module, lastPart(module)].find((one) => source?.text.includes(one));
    if (!source || value === undefined) continue;
    const line = source.lineAt(source.text.indexOf(value));
    const place = { kind: "place" as const, file: source.name, line, function: null, source };
    trail.add({ kind: "missing-module", args: { module: value } }, place, null);
  }
}

/** Returns the given file whose path ends with this one, or the reverse. */
function fileNamed(path: string, files: readonly SourceText[]): SourceText | undefined {
  return files.find(({ name }) => `/${path}`.endsWith(`/${name}`) || `/${name}`.endsWith(`/${path}`));
}

/** Returns the name of a package, or of a file without its extension, which imports contain whatever precedes it. */
function lastPart(module: string): string {
  return module.replace(/^.*\//, "").replace(/\.[cm]?[jt]sx?$/, "");
}
