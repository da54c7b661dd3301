import type { ModelUse } from "../../services/analyzer/src/models/models.ts";
import { table } from "../table.ts";

/** What is printed of a model's use. */
export interface UsedByModel extends Pick<ModelUse, "name" | "inputTokens" | "outputTokens" | "costUsd" | "outcome"> {
  readonly provider: string;
}

/** One row a model: investigations by their outcome, tokens, and cost. */
export function usedTable(uses: readonly UsedByModel[]): string {
  const models = [...Map.groupBy(uses, ({ provider, name }) => `${provider} ${name}`)];
  return table(
    ["model", "investigations", "outcomes", "tokens in", "tokens out", "US dollars"],
    models.map(([model, used]) => {
      const outcomes = [...Map.groupBy(used, ({ outcome }) => outcome)].map(([name, all]) => `${all.length} ${name}`);
      const costs = used.map(({ costUsd }) => costUsd);
      const isPriced = costs.every((cost) => cost !== null);
      return [
        ...[model, String(used.length), outcomes.join(", ")],
        ...[sum(used.map((one) => one.inputTokens)), sum(used.map((one) => one.outputTokens))].map(String),
        isPriced ? sum(costs).toFixed(2) : "unknown",
      ];
    }),
  );
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce((total: number, value) => total + (value ?? 0), 0);
}
