/** Limits the delay of batches that wait for a search: a few seconds of the embedded engine. */
export const searchCallsMax = 256;
/**
 * Consecutive refusals after which the store counts as down. More than the halvings of a full group, so that a search
 * for bad rows at its very beginning isn't mistaken for that.
 */
export const refusalsInARowMax = 20;

export interface Refused<Row> {
  readonly row: Row;
  readonly reason: string;
}

/** The result of a search; each row is in one of the three lists, in any order. */
export interface StoredByHalves<Row> {
  readonly stored: readonly Row[];
  /** Refused individually, by a store that accepted another row afterwards. */
  readonly refused: readonly Refused<Row>[];
  /** Rows for which the search ended too early. */
  readonly undecided: readonly Row[];
}

/** The parts of the store that a search uses. */
export interface Search<Row> {
  /** Returns null when the rows are stored, or the error. */
  readonly store: (rows: readonly Row[]) => Promise<Error | null>;
  /** Whether the store accepts a row that is known to be good. False when no such row is known. */
  readonly takesGoodRow: () => Promise<boolean>;
  /** Ends the search early when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Finds the rows for which a group was refused by halving it, the first rows first: about 2 k log2 n calls for k of n
 * rows, and at most {@link searchCallsMax}. A store that fails meanwhile makes no row look bad.
 */
export async function storeByHalves<Row>(
  group: readonly Row[],
  refusal: Error,
  { store, takesGoodRow, signal }: Search<Row>,
): Promise<StoredByHalves<Row>> {
  const stored: Row[] = [];
  const refused: Refused<Row>[] = [];
  const undecided: Row[] = [];
  /** Rows refused since the store last accepted anything. */
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
