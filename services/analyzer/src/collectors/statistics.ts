/**
 * Returns the probability of at least `hits` in `draws` when each is a hit with probability `share`: how surprising it
 * is that a value has that many of the failures with this share of the exposure. With exposures in process-minutes it
 * is the exact conditional test of two Poisson rates (Przyborowski & Wilenski 1940, Biometrika 31).
 */
export function binomialTail(hits: number, draws: number, share: number): number {
  if (hits <= 0) return 1;
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  let sum = 0;
  for (let k = hits; k <= draws; k++) {
    sum += Math.exp(logChoose(draws, k) + k * Math.log(share) + (draws - k) * Math.log1p(-share));
  }
  return Math.min(1, sum);
}

/**
 * Returns Fisher's exact test, one-sided: the probability of at least `hits` among `draws` drawn from `all`, with
 * `marked` hits in `all`. It is exact for small numbers, where a chi-squared test isn't (Fisher 1922; R,
 * `fisher.test`).
 */
export function fisherTail(hits: number, draws: number, marked: number, all: number): number {
  const most = Math.min(draws, marked);
  const whole = logChoose(all, draws);
  let sum = 0;
  for (let k = Math.max(hits, draws + marked - all, 0); k <= most; k++) {
    sum += Math.exp(logChoose(marked, k) + logChoose(all - marked, draws - k) - whole);
  }
  return Math.min(1, sum);
}

/** For 95%, two-sided. */
const normalQuantile = 1.96;

/**
 * Returns the lower bound of the share that `hits` of `draws` suggest, by Wilson's score interval (Wilson 1927, JASA
 * 22): 1 of 1 is far from certain, 40 of 40 nearly is.
 */
export function wilsonLower(hits: number, draws: number): number {
  if (draws === 0) return 0;
  const share = hits / draws;
  const z2 = normalQuantile ** 2;
  const centre = share + z2 / (2 * draws);
  const spread = normalQuantile * Math.sqrt((share * (1 - share)) / draws + z2 / (4 * draws ** 2));
  return Math.max(0, (centre - spread) / (1 + z2 / draws));
}

function logChoose(n: number, k: number): number {
  return k < 0 || k > n ? Number.NEGATIVE_INFINITY : logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const logFactorials = [0];
/** Above this, Stirling's series is exact to the last digits. */
const tabledMax = 1_000;

function logFactorial(n: number): number {
  if (n > tabledMax)
    return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
  for (let next = logFactorials.length; next <= n; next++) {
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  }
  return logFactorials[n] ?? 0;
}
