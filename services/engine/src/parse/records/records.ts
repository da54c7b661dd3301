import type { ReadableLine } from "../readable-line.ts";
import { kubernetesEventFormat, kubernetesStateFormat } from "./kubernetes.ts";
import { type LineRecord, lineRecord, type RecordFormat } from "./line-record.ts";
import { logfmtFormat } from "./logfmt.ts";
import { plainFormat } from "./plain.ts";
import { accessFormat, apacheErrorFormat, nginxErrorFormat } from "./web-server.ts";

/** In the order in which they are tried: the strictest first. */
export const recordFormats: readonly RecordFormat[] = [
  nginxErrorFormat,
  apacheErrorFormat,
  accessFormat,
  kubernetesEventFormat,
  kubernetesStateFormat,
  logfmtFormat,
  plainFormat,
];

/** Longer lines are read up to here. */
const recordUnitsMax = 8_192;

/** The record that a line is, by what it says or by what carried it; null for a line of something else. */
export function readRecord({ text, carrier }: ReadableLine): LineRecord | null {
  if (text.trim() === "") return null;
  const said = text.slice(0, recordUnitsMax);
  const found = firstOf(said);
  if (!carrier) return found;
  // Behind a time that its carrier took away, `warn` is a level.
  const timed = found ?? (carrier.at === null ? null : firstOf(`${carrier.at} ${said}`));
  const record = timed ?? lineRecord(said);
  // Lines of a stack are carried one by one, too, and are no records.
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
