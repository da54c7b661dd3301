import { answer } from "./answer.ts";
import { ownFrame, stackAndImports, topFrame } from "./baselines.ts";
import type { RcaCase } from "./cases.ts";
import { modelWithout } from "./folds.ts";
import { readOldEngine } from "./old-engine.ts";
import { type Prediction, type Row, scoreCase } from "./score.ts";

/** A case and the result of each way of answering it. */
export interface Scored {
  readonly rca: RcaCase;
  /** Scored with a model that was trained without the case's group. */
  readonly engine: Row;
  /** The engine's answer. */
  readonly answered: Prediction;
  /** The previous engine's result; null where it wasn't run. */
  readonly old: Row | null;
  readonly topFrame: Row;
  readonly ownFrame: Row;
  readonly stackAndImports: Row;
}

/** Answers each case with the engine and the baselines. */
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
