/** Dead letters are kept for so long, and then forgotten. */
export const deadLetterAgeMs: number = 30 * 24 * 3_600_000;

/** Beyond so many bytes the oldest are forgotten: nobody's poison may fill the disk, or the queue's bound. */
export const deadLetterBytesMax: number = 256 * 1_048_576;
