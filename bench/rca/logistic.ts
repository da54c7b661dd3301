/** One investigation: what is known of it, the first feature being 1, and whether its first file was right. */
export interface Sample {
  readonly id: string;
  readonly features: readonly number[];
  readonly right: number;
}

const rounds = 60;
/** Keeps the intercept's equation solvable; too small to matter. */
const tiny = 1e-6;

/** Logistic regression by Newton's method; `penalty` draws every weight but the intercept towards nothing. */
export function fitLogistic(samples: readonly Sample[], penalty: number): number[] {
  let weights = (samples[0]?.features ?? []).map(() => 0);
  for (let round = 0; round < rounds; round++) {
    const gradient = weights.map((weight, index) => (index === 0 ? 0 : -penalty * weight));
    const curvature = weights.map((_, row) =>
      weights.map((__, column) => (row === column ? (row === 0 ? tiny : penalty) : 0)),
    );
    for (const { features, right } of samples) {
      const p = probability(weights, features);
      for (const [row, left] of features.entries()) {
        gradient[row] = (gradient[row] ?? 0) + (right - p) * left;
        const line = curvature[row] ?? [];
        for (const [column, other] of features.entries())
          line[column] = (line[column] ?? 0) + p * (1 - p) * left * other;
      }
    }
    const step = solve(curvature, gradient);
    weights = weights.map((weight, index) => weight + (step[index] ?? 0));
  }
  return weights;
}

export function probability(weights: readonly number[], features: readonly number[]): number {
  const logOdds = features.reduce((sum, feature, index) => sum + feature * (weights[index] ?? 0), 0);
  return 1 / (1 + Math.exp(-logOdds));
}

/** A system of linear equations, by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  for (const [pivot, line] of rows.entries()) {
    for (const [index, row] of rows.entries()) {
      const factor = index === pivot ? 0 : (row[pivot] ?? 0) / (line[pivot] ?? 1);
      for (let column = pivot; column < row.length; column++)
        row[column] = (row[column] ?? 0) - factor * (line[column] ?? 0);
    }
  }
  return rows.map((row, index) => (row.at(-1) ?? 0) / (row[index] ?? 1));
}
