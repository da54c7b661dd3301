import { answer } from "./answer.ts";
import { type Baseline, baselines } from "./baselines.ts";
import type { RcaCase } from "./cases.ts";
import { modelWithout } from "./folds.ts";
import { type Prediction, type Row, scoreCase } from "./score.ts";

/** A case and the result of each way of answering it. */
export interface Scored {
  readonly rca: RcaCase;
  /** Scored with a model that was trained without the case's group. */
  readonly engine: Row;
  /** The engine's answer. */
  readonly answered: Prediction;
  readonly baselines: Readonly<Record<Baseline, Row>>;
}

/** Answers each case with the engine and the baselines. */
export async function scoreCases(cases: readonly RcaCase[]): Promise<Scored[]> {
  const scored: Scored[] = [];
  for (const rca of cases) {
    const answered = await answer(rca, modelWithout(rca.group));
    const row = (name: Baseline): Row => scoreCase(rca, baselines[name](rca));
    scored.push({
      ...{ rca, answered, engine: scoreCase(rca, answered) },
      baselines: {
        "top frame": row("top frame"),
        "innermost of the project": row("innermost of the project"),
        "first own frame": row("first own frame"),
        "stack and imports": row("stack and imports"),
      },
    });
  }
  return scored;
}
