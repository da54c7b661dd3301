import type { ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { DataTable } from "../../../components/data-table.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { delayText, memoryText } from "../service-course.ts";

const none = "–";

/** The steps of a service's course as rows, the latest first; steps without failures and heartbeats are left out. */
export function CourseTable({ detail: { course } }: { readonly detail: ServiceDetail }): JSX.Element {
  const now = Date.now();
  return (
    <DataTable
      label="Figures by time"
      columns={[
        { name: "From" },
        ...["Failing events", "Requests", "Failed", "Processes", "Memory", "Event-loop delay"].map((name) => ({
          name,
          isNumber: true,
        })),
      ]}
      rows={course.toReversed().map((step) => ({
        key: step.at,
        cells: [
          sentenceTime(step.at, now),
          step.failures.toLocaleString(),
          step.requests?.toLocaleString() ?? none,
          step.failed_requests?.toLocaleString() ?? none,
          step.processes.toLocaleString(),
          step.memory_bytes === null ? none : memoryText(step.memory_bytes),
          step.event_loop_delay_ms === null ? none : delayText(step.event_loop_delay_ms),
        ],
      }))}
    />
  );
}
