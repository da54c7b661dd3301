import type { ReadableLine } from "../readable-line.ts";
import { kubernetesEventFormat, kubernetesStateFormat } from "./kubernetes.ts";
import { type LineRecord, lineRecord, type RecordFormat } from "./line-record.ts";
import { logfmtFormat } from "./logfmt.ts";
import { plainFormat } from "./plain.ts";
import { accessFormat, apacheErrorFormat, nginxErrorFormat } from "./web-server.ts";

/** Tried in this order: the strictest first. */
export const recordFormats: readonly RecordFormat[] = [
  nginxErrorFormat,
  apacheErrorFormat,
  accessFormat,
  kubernetesEventFormat,
  kubernetesStateFormat,
  logfmtFormat,
  plainFormat,
];

/** Only the start of a longer line is read. */
const recordUnitsMax = 8_192;

/** Returns the record on a line, by its text or by its carrier; null for a line of something else. */
export function readRecord({ text, carrier }: ReadableLine): LineRecord | null {
  if (text.trim() === "") return null;
  const said = text.slice(0, recordUnitsMax);
  // Some programs put two spaces behind their prefix.
  const found = firstOf(said) ?? (carrier && /^ \S/.test(said) ? firstOf(said.trimStart()) : null);
  if (!carrier) return found;
  // After a time that the carrier's prefix took away, `warn` is a level.
  const timed = found ?? (carrier.at === null ? null : firstOf(`${carrier.at} ${said}`));
  const record = timed ?? lineRecord(said);
  // Lines of a stack are also carried one by one, but aren't records.
  if (!found && carrier.at === null && carrier.level === null) return null;
  return {
    ...record,
    at: record.at ?? carrier.at,
    level: record.level ?? carrier.level,
    logger: record.logger ?? carrier.app,
  };
}

function firstOf(text: string): LineRecord | null {
  for (const format of recordFormats) {
    const found = format.read(text);
    if (found) return found;
  }
  return null;
}
