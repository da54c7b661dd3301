import { answer } from "./answer.ts";
import { ownFrame, stackAndImports, topFrame } from "./baselines.ts";
import type { RcaCase } from "./cases.ts";
import { modelWithout } from "./folds.ts";
import { readOldEngine } from "./old-engine.ts";
import { type Prediction, type Row, scoreCase } from "./score.ts";

/** A case and how each way of answering it did. */
export interface Scored {
  readonly rca: RcaCase;
  /** By a model that was trained without the case's group. */
  readonly engine: Row;
  /** What the engine answered. */
  readonly answered: Prediction;
  /** What the engine before this one said; null where it was not asked. */
  readonly old: Row | null;
  readonly topFrame: Row;
  readonly ownFrame: Row;
  readonly stackAndImports: Row;
}

/** Answers each case by the engine and by the baselines. */
export async function scoreCases(cases: readonly RcaCase[]): Promise<Scored[]> {
  const old = readOldEngine();
  const scored: Scored[] = [];
  for (const rca of cases) {
    const answered = await answer(rca, modelWithout(rca.group));
    scored.push({
      ...{ rca, answered, engine: scoreCase(rca, answered), old: old(rca) },
      topFrame: scoreCase(rca, topFrame(rca)),
      ownFrame: scoreCase(rca, ownFrame(rca)),
      stackAndImports: scoreCase(rca, stackAndImports(rca)),
    });
  }
  return scored;
}
