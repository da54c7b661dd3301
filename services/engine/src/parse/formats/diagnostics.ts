import { languageOfFile } from "../../source/languages/languages.ts";
import { addFrame, type Draft, newDraft } from "../draft.ts";
import { placeInProject } from "../printed-place.ts";
import type { ReadableLine } from "../readable-line.ts";

/** What linters and type checkers print in common: `web/cart.go:22:3: …`, `app/models.py:12: error: …`. */
const diagnostic =
  /^(?:vet: |\s{0,8})(?<file>[^\s:(]{1,500}\.\w{1,8}):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?:(?<severity>[a-z]{4,7}): )?(?<message>\S.{0,2000})$/;
/** Severities of what isn't a failure. Python prints warnings the same way, by the names of their classes. */
const harmless = /^(?:warning|warn|note|info|hint|debug)$/;
const warning = /^\w{0,60}Warning: /;

/**
 * Reads a line in which a linter or checker names a place in code; null for others. A bare file name could also be a
 * logger's: that counts only with a column or a severity.
 */
export function readDiagnostic({ text, printed }: ReadableLine): Draft | null {
  const { file = "", line, column, severity = "", message = "" } = diagnostic.exec(text)?.groups ?? {};
  const language = languageOfFile(file);
  if (language === null || harmless.test(severity) || warning.test(message)) return null;
  if (!/[\\/]/.test(file) && column === undefined && severity === "") return null;
  const draft = newDraft("diagnostic", message, printed, { language });
  addFrame(draft, placeInProject({ file, line, column }, printed));
  return draft;
}
