import type { ModelStatus, ModelUsage } from "@whence/protocol";
import type { JSX } from "react";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { usdText } from "./usd-text.ts";

const count = new Intl.NumberFormat();

/** What the model used today and in the last 30 days, beside the budget of the day. */
export function ModelUsagePanel({ status }: { readonly status: ModelStatus }): JSX.Element {
  const { model, today, last_30_days: lastDays } = status;
  return (
    <Panel title="Usage">
      <Rows none="">
        {[
          <Row
            key="today"
            title="Today (UTC)"
            facts={[
              ...facts(today),
              model === null ? null : `of ${count.format(model.budget.tokens_per_day)} tokens`,
              model === null || model.budget.usd_per_day === null ? null : `of ${usdText(model.budget.usd_per_day)}`,
            ]}
          />,
          <Row key="last" title="Last 30 days" facts={facts(lastDays)} />,
        ]}
      </Rows>
    </Panel>
  );
}

function facts(usage: ModelUsage): readonly string[] {
  const { investigations, input_tokens, output_tokens } = usage;
  return [
    `${count.format(investigations)} ${investigations === 1 ? "investigation" : "investigations"}`,
    `${count.format(input_tokens + output_tokens)} tokens, including questions`,
    costText(usage),
  ];
}

function costText({ cost_usd: cost, known_cost_usd: known }: ModelUsage): string {
  if (cost !== null) return usdText(cost);
  return known === 0 ? "cost unknown" : `at least ${usdText(known)}`;
}
