/** A minute from which the rate is different. */
export interface ChangePoint {
  /** The first minute of the new rate. */
  readonly index: number;
  /** Events per minute before, and from there on. */
  readonly before: number;
  readonly after: number;
}

/** Twice the log likelihood ratio that chance alone reaches about once in a thousand series. */
const gainMin = 16;

/**
 * Returns where a series of counts changes its rate: the split into two Poisson rates with the highest likelihood, if
 * it explains the counts far better than one rate does (Eckley, Fearnhead and Killick, "Analysis of changepoint
 * models", 2011, section 2). Null when nothing stands out.
 */
export function changePoint(counts: readonly number[]): ChangePoint | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const one = logLikelihood(total, counts.length);
  let best: (ChangePoint & { gain: number }) | null = null;
  let sum = counts[0] ?? 0;
  for (let index = 1; index < counts.length; index++) {
    const gain = 2 * (logLikelihood(sum, index) + logLikelihood(total - sum, counts.length - index) - one);
    if (gain >= gainMin && gain > (best?.gain ?? 0)) {
      best = { index, before: sum / index, after: (total - sum) / (counts.length - index), gain };
    }
    sum += counts[index] ?? 0;
  }
  return best;
}

/** Up to a constant that is the same for every split. */
function logLikelihood(events: number, minutes: number): number {
  return events === 0 ? 0 : events * Math.log(events / minutes);
}
