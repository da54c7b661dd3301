import type { ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { DataTable } from "../../../components/data-table.tsx";
import { Panel } from "../../../components/panel.tsx";
import { delayText } from "../service-course.ts";

/** How fast other hosts answered the service, as far as its latest events recorded. */
export function ServiceCalls({ detail: { calls } }: { readonly detail: ServiceDetail }): JSX.Element | null {
  if (calls.length === 0) return null;
  return (
    <Panel title="Calls to other hosts" note="A sample: the last calls before the latest events and heartbeats.">
      <DataTable
        label="Calls by host"
        columns={[
          { name: "Host" },
          ...["Calls", "Failed", "Median", "95th percentile"].map((name) => ({ name, isNumber: true })),
        ]}
        rows={calls.map(({ host, calls: count, failed, median_ms, slow_ms }) => ({
          key: host,
          cells: [
            host,
            count.toLocaleString(),
            failed.toLocaleString(),
            durationText(median_ms),
            durationText(slow_ms),
          ],
        }))}
      />
    </Panel>
  );
}

function durationText(ms: number | null): string {
  return ms === null ? "–" : delayText(ms);
}
