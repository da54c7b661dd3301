import type { DeliveryAccount, StoredEvent, StoredLosses } from "../src/index.ts";

type Missing = DeliveryAccount["missing"];
type Report = StoredLosses["dropped"][number];

/** What an account says of the numbers: the plain way, number by number. */
export function modelAccount(
  events: readonly StoredEvent[],
  losses: readonly StoredLosses[],
): Pick<DeliveryAccount, "received" | "lastSeq" | "missing" | "missingEvents" | "ended"> {
  const numbers = new Set(events.map(({ event }) => event.seq));
  const reports = [...events, ...losses].flatMap(({ dropped = [] }) => dropped).sort(byRange);
  const lastSeq = Math.max(...numbers, ...reports.map(({ to_seq }) => to_seq));
  const missing: { fromSeq: number; toSeq: number; reason: string }[] = [];
  for (let seq = 1; seq <= lastSeq; seq++) {
    if (numbers.has(seq)) continue;
    const reason = reports.find(({ from_seq, to_seq }) => from_seq <= seq && seq <= to_seq)?.reason ?? "unaccounted";
    const last = missing.at(-1);
    if (last?.toSeq === seq - 1 && last.reason === reason) last.toSeq = seq;
    else missing.push({ fromSeq: seq, toSeq: seq, reason });
  }
  const ended = events.some(({ event }) => event.type === "exit");
  return { received: numbers.size, lastSeq, missing, missingEvents: lastSeq - numbers.size, ended };
}

/** Events by reason, in the order of reasons. */
export function modelMissing(accounts: readonly { missing: Missing }[]): { reason: string; events: number }[] {
  const sums = new Map<string, number>();
  for (const { fromSeq, toSeq, reason } of accounts.flatMap(({ missing }) => missing)) {
    sums.set(reason, (sums.get(reason) ?? 0) + toSeq - fromSeq + 1);
  }
  return [...sums].map(([reason, events]) => ({ reason, events })).sort((a, b) => (a.reason < b.reason ? -1 : 1));
}

/** A number in two reports belongs to the one that begins first, then ends first, then by its reason. */
function byRange(a: Report, b: Report): number {
  return a.from_seq - b.from_seq || a.to_seq - b.to_seq || (a.reason < b.reason ? -1 : 1);
}
