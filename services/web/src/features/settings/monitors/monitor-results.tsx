import { useQuery } from "@tanstack/react-query";
import type { MonitorResult } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { monitorResultsQuery } from "../api/monitors.ts";
import { outcomeTones } from "./monitor-names.ts";

/** More are in the API. */
const shownMax = 20;

/** The latest checks of a monitor. */
export function MonitorResults({ monitorId }: { readonly monitorId: string }): JSX.Element {
  const results = useQuery(monitorResultsQuery(monitorId));
  return (
    <Loaded query={results} lines={3}>
      {(data) => (
        <Rows none="No checks yet.">
          {data.results.slice(0, shownMax).map((result, index) => (
            <MonitorResultRow key={`${result.at} ${index}`} result={result} />
          ))}
        </Rows>
      )}
    </Loaded>
  );
}

/** One check. */
export function MonitorResultRow({ result }: { readonly result: MonitorResult }): JSX.Element {
  const { at, outcome, reason, duration_ms: duration } = result;
  return (
    <Row
      title={
        <>
          {reason}
          <Badge tone={outcomeTones[outcome]}>{outcome.replace("-", " ")}</Badge>
        </>
      }
      facts={[<TimeAgo key="at" at={at} />, duration === null ? null : `${duration.toLocaleString()} ms`]}
    />
  );
}
