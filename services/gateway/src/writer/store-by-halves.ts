/** Bounds what one search may cost the batches that wait behind it: some seconds of the embedded engine. */
export const searchCallsMax = 256;
/**
 * So many refusals in a row look like a store that is away. More than the halvings of a full group, so that the search
 * for a bad row at its very beginning, and the ones beside it, is none.
 */
export const refusalsInARowMax = 20;

export interface Refused<Row> {
  readonly row: Row;
  readonly reason: string;
}

/** What a search came to; each row is in one of the three, in any order. */
export interface StoredByHalves<Row> {
  readonly stored: readonly Row[];
  /** Refused one at a time, by a store that took another row afterwards. */
  readonly refused: readonly Refused<Row>[];
  /** The search ended before it was known. */
  readonly undecided: readonly Row[];
}

/** The store, as far as a search needs it. */
export interface Search<Row> {
  /** Null when the rows are stored, or why not. */
  readonly store: (rows: readonly Row[]) => Promise<Error | null>;
  /** Whether the store takes now what is known to be good. False as well when nothing is known. */
  readonly takesGoodRow: () => Promise<boolean>;
  /** Ends the search early. */
  readonly signal: AbortSignal;
}

/**
 * Finds the rows for which a group was refused by halving it, the first rows first: about 2 k log2 n calls for k of n,
 * and {@link searchCallsMax} at most. A store that goes away meanwhile makes no row look bad.
 */
export async function storeByHalves<Row>(
  group: readonly Row[],
  refusal: Error,
  { store, takesGoodRow, signal }: Search<Row>,
): Promise<StoredByHalves<Row>> {
  const stored: Row[] = [];
  const refused: Refused<Row>[] = [];
  const undecided: Row[] = [];
  /** Refused since the store last took anything. */
  let suspected: Refused<Row>[] = [];
  let refusalsInARow = 0;
  const convict = (): void => {
    refused.push(...suspected);
    suspected = [];
    refusalsInARow = 0;
  };
  const refuse = (rows: readonly Row[], { message: reason }: Error): void => {
    const [row] = rows;
    if (rows.length === 1 && row !== undefined) suspected.push({ row, reason });
    else waiting.push(...halvesOf(rows).reverse());
  };

  const waiting: (readonly Row[])[] = [];
  refuse(group, refusal);
  for (let calls = 0; calls < searchCallsMax && !signal.aborted; calls++) {
    if (refusalsInARow >= refusalsInARowMax) {
      if (!(await takesGoodRow())) break;
      convict();
      continue;
    }
    const rows = waiting.pop();
    if (rows === undefined) break;
    const answer = await store(rows);
    refusalsInARow += 1;
    if (answer !== null) refuse(rows, answer);
    else {
      stored.push(...rows);
      convict();
    }
  }
  if (suspected.length > 0 && (await takesGoodRow())) convict();
  undecided.push(...waiting.reverse().flat(), ...suspected.map(({ row }) => row));
  return { stored, refused, undecided };
}

function halvesOf<Row>(rows: readonly Row[]): [readonly Row[], readonly Row[]] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}
