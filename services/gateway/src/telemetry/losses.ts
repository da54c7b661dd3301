import type { Dropped } from "@whence/protocol";

/** Returns ordered ranges of the sequence numbers, with each number once. */
export function lossesOf(seqs: readonly number[], reason: Dropped["reason"]): Dropped[] {
  const losses: { from_seq: number; to_seq: number; reason: Dropped["reason"] }[] = [];
  for (const seq of [...seqs].sort((left, right) => left - right)) {
    const last = losses.at(-1);
    if (last !== undefined && seq <= last.to_seq + 1) last.to_seq = seq;
    else losses.push({ from_seq: seq, to_seq: seq, reason });
  }
  return losses;
}
