/** A value and its weight. */
export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

interface Pool extends Weighted {
  readonly members: number;
}

/**
 * Returns the nondecreasing values closest to those given, by weighted squares: neighbors in the wrong order get their
 * mean (pool adjacent violators). Linear. No value ends up further from a nondecreasing line than the one furthest off
 * was (F. Yang, R. F. Barber, Contraction and uniform convergence of isotonic regression,
 * https://arxiv.org/abs/1706.01852).
 */
export function nonDecreasing(values: readonly Weighted[]): number[] {
  const pools: Pool[] = [];
  for (const { value, weight } of values) {
    let pool: Pool = { value, weight, members: 1 };
    for (let last = pools.at(-1); last && last.value > pool.value; last = pools.at(-1)) {
      pools.pop();
      pool = joined(last, pool);
    }
    pools.push(pool);
  }
  return pools.flatMap(({ value, members }) => Array.from({ length: members }, () => value));
}

function joined(left: Pool, right: Pool): Pool {
  const weight = left.weight + right.weight;
  const value = (left.value * left.weight + right.value * right.weight) / weight;
  return { value, weight, members: left.members + right.members };
}
