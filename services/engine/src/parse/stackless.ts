import { attach, type Draft, newDraft } from "./draft.ts";
import { readDiagnostic } from "./formats/diagnostics.ts";
import { parseInlineProperties } from "./formats/node-properties.ts";
import { errorWithoutCalls } from "./formats/ruby-header.ts";
import { isAtStart, parseHeader } from "./header.ts";
import { toError } from "./json/json-log.ts";
import type { ReadableLine } from "./readable-line.ts";
import type { Reading } from "./reading.ts";
import { logfmtFormat } from "./records/logfmt.ts";

/** More errors without stacks are dropped: the first ones show what happened first. */
const stacklessMax = 20;

/** Kubernetes reasons that say that something failed earlier, without saying what. */
const consequences = new Set(["BackOff", "CrashLoopBackOff", "ImagePullBackOff", "Unhealthy", "Killing", "Error"]);

/** Reads errors that have only a name and a message, or a place and a message, or were logged at error level. */
export function readStackless({ free, records }: Reading): Draft[] {
  const named = readNamed(free);
  if (named.length > 0) return named;
  const diagnostics = free.flatMap((line) => readDiagnostic(line) ?? []);
  if (diagnostics.length > 0) return diagnostics.slice(0, stacklessMax);
  const failed = records.filter(({ level }) => level === "error" || level === "fatal");
  return failed.slice(0, stacklessMax).flatMap((record) => {
    const { reason, error } = record.fields;
    const draft = toError(record);
    // A logger's sentence says what the program was doing, and its field `error` why that failed.
    if (typeof error === "string" && error !== "") {
      const inner = toError({ ...record, message: error, fields: {} });
      attach(inner, draft, "cause");
      return [draft, inner];
    }
    // Kubernetes names its failures.
    if (typeof reason === "string" && /^[A-Z]\w{2,60}$/.test(reason)) draft.type = reason;
    // A consequence of another failure is investigated only when there is nothing else.
    if (typeof reason === "string" && consequences.has(reason)) draft.level = "warn";
    return [draft];
  });
}

function readNamed(lines: readonly ReadableLine[]): Draft[] {
  const found: Draft[] = [];
  for (const { text, printed } of lines) {
    const header = nameIn(text);
    if (!header) continue;
    const parent = /^caused by: /i.test(text.trim()) ? (found.at(-1) ?? null) : null;
    found.push(
      newDraft(header.type, header.message, printed, {
        properties: { ...(header.code ? { code: header.code } : {}), ...parseInlineProperties(text) },
        parent,
        relation: parent ? "cause" : null,
      }),
    );
    if (found.length >= stacklessMax) break;
  }
  return found;
}

/** Returns the error that a line names. The fields of a logfmt record are read as fields. */
function nameIn(text: string): { type: string; message: string; code: string | null } | null {
  const ruby = errorWithoutCalls(text);
  if (ruby) return { ...ruby, code: null };
  const header = parseHeader(text);
  if (!header || (header.message === "" && !isAtStart(text, header)) || logfmtFormat.read(text)) return null;
  return header;
}
