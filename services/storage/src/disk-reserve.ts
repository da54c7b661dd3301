import { statfs } from "node:fs/promises";

/** What is rejected when disk space runs out, in this order. */
export const refusedFirst = ["unclaimed-inputs", "inputs", "telemetry"] as const;
export type ReservedFrom = (typeof refusedFirst)[number];

/** The part of the reserve that has to be free for each to be taken. */
const neededShares: Readonly<Record<ReservedFrom, number>> = {
  "unclaimed-inputs": 1,
  inputs: 1 / 2,
  // What the stores need to merge, and to write down what they have.
  telemetry: 1 / 8,
};

/** How long a reading is reused: every request needs one. */
const rememberedMs = 1_000;

export interface DiskReading {
  readonly freeBytes: number;
  readonly refused: readonly ReservedFrom[];
}

/** Free space of the disk that the data is on, kept for telemetry. */
export interface DiskReserve {
  /** Never rejects: a disk that can't be asked counts as one with room. */
  reading(): Promise<DiskReading>;
  refuses(what: ReservedFrom): Promise<boolean>;
}

export interface DiskReserveOptions {
  /** Below it the inputs of unclaimed agents are refused; below parts of it, the others. */
  readonly reserveBytes: number;
  readonly freeBytes: () => Promise<number>;
  readonly clock?: () => number;
}

/** A {@link DiskReserve} over any way to ask for free space. */
export function diskReserve({ reserveBytes, freeBytes, clock = Date.now }: DiskReserveOptions): DiskReserve {
  let answer: Promise<DiskReading> | undefined;
  let askedAt = 0;
  const read = async (): Promise<DiskReading> => {
    const free = await freeBytes().catch(() => Number.POSITIVE_INFINITY);
    return { freeBytes: free, refused: refusedFirst.filter((what) => free < reserveBytes * neededShares[what]) };
  };
  const reading = (): Promise<DiskReading> => {
    if (answer === undefined || clock() - askedAt >= rememberedMs) {
      askedAt = clock();
      answer = read();
    }
    return answer;
  };
  return { reading, refuses: async (what) => (await reading()).refused.includes(what) };
}

/** For services that keep nothing on a local disk. */
export const noDisk: DiskReserve = {
  reading: async () => ({ freeBytes: Number.POSITIVE_INFINITY, refused: [] }),
  refuses: async () => false,
};

/** Returns the bytes that this process may still write to a folder's disk. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
