/** How long dead letters are kept. Without the protocol's durations: the queue's thread loads no schemas. */
export const deadLetterAgeMs: number = 30 * 24 * 3_600_000;

/** Beyond this the oldest dead letters are dropped, so that one sender's bad messages can't fill the disk or the queue. */
export const deadLetterBytesMax: number = 256 * 1_048_576;
