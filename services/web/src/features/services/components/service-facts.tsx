import type { ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { percentText, shareOf } from "../error-rate.ts";
import { delayText, highest, memoryText, type ServiceSeries } from "../service-course.ts";
import { countedSince, crashFreeText } from "../session-counts.ts";
import styles from "./service-facts.module.css";

interface FactsProps {
  readonly detail: ServiceDetail;
  readonly series: ServiceSeries;
}

/** The figures of the span. What isn't reported is left out. */
export function ServiceFacts({ detail, series }: FactsProps): JSX.Element {
  const { failures, requests, failed_requests: failed, restarts, has_more_processes: hasMore } = detail;
  const { sessions, crashed_sessions: crashed, unhandled_sessions: unhandled } = detail;
  const facts: readonly (readonly [string, string, string?])[] = [
    ...(requests === null
      ? []
      : ([
          [
            "Failure rate",
            percentText(shareOf({ requests, failed: failed ?? 0 })),
            `${(failed ?? 0).toLocaleString()} of ${requests.toLocaleString()} requests`,
          ],
        ] as const)),
    ["Failing events", failures.toLocaleString()],
    ...(sessions === null
      ? []
      : ([
          [
            "Crash-free sessions",
            crashFreeText({ sessions, crashed: crashed ?? 0 }),
            `${(crashed ?? 0).toLocaleString()} of ${sessions.toLocaleString()} crashed${countedSince(detail, Date.now())}`,
          ],
          ...(unhandled
            ? ([
                [
                  "Unhandled errors",
                  percentText(unhandled / sessions),
                  `${unhandled.toLocaleString()} of ${sessions.toLocaleString()} sessions went on after one`,
                ],
              ] as const)
            : []),
        ] as const)),
    ["Restarts", `${restarts.toLocaleString()}${hasMore ? "+" : ""}`, "on the same host and release"],
    ...(series.memory ? ([["Memory", memoryText(highest(series.memory).most), "at most, one process"]] as const) : []),
    ...(series.loopDelay
      ? ([["Event-loop delay", delayText(highest(series.loopDelay).most), "at most, one process"]] as const)
      : []),
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            {note === undefined ? null : <span>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
