import { isAdvisory } from "../findings/advisory.ts";
import type { ChosenBecause } from "../findings/chosen-because.ts";
import type { ParsedError, ParsedException } from "../findings/parsed-error.ts";
import type { Gap } from "../signals/gap.ts";
import type { NamedError } from "../signals/gaps/lists.ts";
import type { Alert } from "../signals/inputs/alert.ts";
import type { LogRecord } from "../signals/inputs/record.ts";
import { inGivenCode } from "../source/given-code.ts";
import { ownPlaceOf } from "../source/own-place.ts";
import { SourceText } from "../source/source-text.ts";
import { telling } from "../words/telling.ts";
import { readTextAlert } from "./alerts/text-alerts.ts";
import { choose } from "./choose.ts";
import { arrange } from "./draft.ts";
import { foldRepeats } from "./fold-repeats.ts";
import { forgerySigns, type ReadText } from "./forgery-signs.ts";
import { lineUnitsMax, readableLines } from "./lines.ts";
import { markLast } from "./log-context.ts";
import type { ReadableLine } from "./readable-line.ts";
import { Reading } from "./reading.ts";
import { severityOf } from "./records/level.ts";
import { readStackless } from "./stackless.ts";

/** How many records around the chosen error are kept. */
const recordsBeforeMax = 100;
const recordsAfterMax = 20;
const headlineUnitsMax = 500;

/**
 * Reads a pasted log. Never throws; `unread` lists what wasn't understood. Linear in the length of the text. Of several
 * errors, the given files tell which is about them.
 */
export function parseText(errorLog: string, given: readonly { readonly name: string }[] = []): ParsedError {
  const source = new SourceText("error_log", "error log", errorLog);
  const lines = readableLines(source);
  const reading = new Reading();
  reading.readLines(lines);
  const drafts = reading.drafts.length > 0 ? reading.drafts : readStackless(reading);
  markLast(drafts, lines);
  const { kept: exceptions, ...leftOut } = foldRepeats(arrange(drafts, source));
  const { chain, because } = choose(exceptions, inGivenCode(given.map(({ name }) => name)));
  const alert = alertOf(reading, source);
  return {
    exceptions,
    chain,
    chosenBecause: because,
    records: recordsAround(reading, exceptions[chain[0] ?? -1] ?? null, source),
    alert,
    headline: headlineOf(lines, reading, alert),
    sources: [source],
    unread: [
      ...unreadOf(exceptions, lines, alert, { ...reading, ...leftOut }),
      ...notChosen(exceptions, because),
      ...forgeable({ exceptions, chain, source, ambiguousJson: reading.ambiguousJson }),
    ],
  };
}

/** The errors that were read but not investigated. */
function notChosen(exceptions: readonly ParsedException[], because: ChosenBecause | null): Gap[] {
  const named = (indexes: readonly number[]): NamedError[] =>
    indexes.map((index) => {
      const own = ownPlaceOf(exceptions, index);
      const place = own && [own.file, own.line].filter((part) => part !== null).join(":");
      return { type: exceptions[index]?.type ?? "", place };
    });
  const rivals = named(because?.rivals ?? []);
  const inValues = named(because?.inValues ?? []);
  return [
    ...(rivals.length > 0 ? [{ kind: "rival-errors" as const, errors: rivals }] : []),
    ...(inValues.length > 0 ? [{ kind: "errors-in-values" as const, errors: inValues }] : []),
  ];
}

function forgeable(read: ReadText): Gap[] {
  const signs = forgerySigns(read);
  return signs.length > 0 ? [{ kind: "forgeable-text", signs }] : [];
}

/** Returns the most severe alert that is still firing. */
function alertOf({ alerts, free }: Reading, source: SourceText): Alert | null {
  const firing = alerts.filter(({ status }) => !/^(?:resolved?|ok|recovered|close|normal)$/i.test(status ?? ""));
  const worst = (firing.length > 0 ? firing : alerts).toSorted((left, right) => rankOf(right) - rankOf(left))[0];
  if (worst) return { ...worst, source };
  const said = readTextAlert(free);
  if (!said) return null;
  const start = free[said.from]?.printed.start ?? 0;
  const end = Math.max(free[said.to]?.printed.end ?? start, start);
  return { ...said.alert, source, printed: { start, end } };
}

function rankOf({ severity }: { readonly severity: string | null }): number {
  return /^(?:critical|page|p1|sev-?1|high|fatal|disaster|emergency)$/i.test(severity ?? "")
    ? 2
    : /^(?:warn|warning|p2|error|medium)$/i.test(severity ?? "")
      ? 1
      : 0;
}

/** Returns the records before the error and a few after it; without an error, the end of the log. */
function recordsAround({ records }: Reading, head: ParsedException | null, source: SourceText): LogRecord[] {
  const ordered = records.toSorted((left, right) => left.printed.start - right.printed.start);
  const found = head ? ordered.findIndex(({ printed }) => printed.start > head.printed.start) : -1;
  const at = found < 0 ? ordered.length : found;
  return ordered
    .slice(Math.max(at - recordsBeforeMax, 0), at + recordsAfterMax)
    .map((record) => ({ ...record, source }));
}

/** Returns the most telling line. */
function headlineOf(lines: readonly ReadableLine[], { records }: Reading, alert: Alert | null): string {
  if (alert) return alert.summary.slice(0, headlineUnitsMax);
  const worst = records.reduce<(typeof records)[number] | null>(
    (known, record) =>
      severityOf(record.level) > Math.max(severityOf(known?.level ?? null), severityOf("info")) && !isAdvisory(record)
        ? record
        : known,
    null,
  );
  if (worst) return (worst.message.split("\n", 1)[0] ?? "").slice(0, headlineUnitsMax);
  let first: string | null = null;
  for (const { text } of lines) {
    const line = text.slice(0, lineUnitsMax).trim();
    if (line === "") continue;
    if (telling.test(line)) return line.slice(0, headlineUnitsMax);
    first ??= line;
  }
  return (first ?? "").slice(0, headlineUnitsMax);
}

interface Omissions {
  readonly cutDocuments: number;
  readonly recordsLeftOut: number;
  readonly errorsLeftOut: number;
  readonly causesLeftOut: number;
}

function unreadOf(
  exceptions: readonly ParsedException[],
  lines: readonly ReadableLine[],
  alert: Alert | null,
  { cutDocuments, recordsLeftOut, errorsLeftOut, causesLeftOut }: Omissions,
): Gap[] {
  const long = lines.filter(({ text }) => text.length > lineUnitsMax).length;
  return [
    ...shapeGap(exceptions, lines.length, alert),
    ...(long > 0 && exceptions.length === 0
      ? [{ kind: "long-lines" as const, lines: long, unitsRead: lineUnitsMax }]
      : []),
    ...(cutDocuments > 0 ? [{ kind: "cut-records" as const, records: cutDocuments }] : []),
    ...(errorsLeftOut > 0 ? [{ kind: "errors-left-out" as const, errors: errorsLeftOut }] : []),
    ...(causesLeftOut > 0 ? [{ kind: "causes-left-out" as const, causes: causesLeftOut }] : []),
    ...(recordsLeftOut > 0 ? [{ kind: "records-left-out" as const, records: recordsLeftOut }] : []),
  ];
}

function shapeGap(exceptions: readonly ParsedException[], lines: number, alert: Alert | null): Gap[] {
  if (exceptions.length === 0)
    return [alert ? { kind: "alert-alone", system: alert.system } : { kind: "unknown-format", lines }];
  return exceptions.every(({ frames }) => frames.length === 0) ? [{ kind: "no-stack" }] : [];
}
