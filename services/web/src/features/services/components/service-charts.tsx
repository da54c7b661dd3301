import type { ServiceDetail } from "@whence/protocol";
import { type JSX, Suspense, useMemo, useState } from "react";
import { ChartFigure } from "../../../components/chart-figure.tsx";
import type { ChartMarker } from "../../../components/course-chart.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { percentText } from "../error-rate.ts";
import { delayText, memoryText, type ServiceSeries, sayCounts, sayMeasured, stepText } from "../service-course.ts";
import { CourseTable } from "./course-table.tsx";
import styles from "./service-charts.module.css";

/** Few services report sessions. */
const SessionChart = lazyPart(() => import("./session-chart.tsx"));

interface ChartsProps {
  readonly detail: ServiceDetail;
  readonly series: ServiceSeries;
}

const noMarkers: readonly ChartMarker[] = [];
/** The axes of measured figures reach at least this far. */
const reach = { percent: 1, memoryBytes: 50_000_000, delayMs: 20 } as const;
const percentName = (percent: number): string => percentText(percent / 100);

/** The course of a service: its failures with the deploys beside them, its requests, memory, and event loop. */
export function ServiceCharts({ detail, series }: ChartsProps): JSX.Element {
  const { failures, requests, failedPercent, memory, loopDelay } = series;
  const { deploys } = detail;
  const markers = useMemo(
    () => deploys.map(({ at, text }): ChartMarker => ({ at: Date.parse(at), kind: "deploy", text })),
    [deploys],
  );
  const step = stepText(detail.step_seconds);
  return (
    <>
      <div className={styles.charts}>
        <ChartFigure
          caption={`Failing events per ${step}`}
          {...failures}
          markers={markers}
          label={sayCounts("failing events", failures, timeOf)}
        />
        {failedPercent ? (
          <ChartFigure
            caption="Failed requests"
            {...failedPercent}
            markers={markers}
            markersListed={0}
            nameOf={percentName}
            reach={reach.percent}
            label={`Failed requests: ${sayMeasured(failedPercent, percentName, timeOf)}`}
          />
        ) : null}
        {requests ? (
          <ChartFigure
            caption={`Requests per ${step}`}
            {...requests}
            markers={noMarkers}
            label={sayCounts("requests", requests, timeOf)}
          />
        ) : null}
        {detail.session_hours.length > 0 ? (
          <Suspense>
            <SessionChart detail={detail} />
          </Suspense>
        ) : null}
        {memory ? (
          <ChartFigure
            caption="Memory of the largest process"
            {...memory}
            markers={noMarkers}
            as="line"
            nameOf={memoryText}
            reach={reach.memoryBytes}
            label={`Memory of the largest process: ${sayMeasured(memory, memoryText, timeOf)}`}
          />
        ) : null}
        {loopDelay ? (
          <ChartFigure
            caption="Longest event-loop delay"
            {...loopDelay}
            markers={noMarkers}
            as="line"
            nameOf={delayText}
            reach={reach.delayMs}
            label={`Longest event-loop delay: ${sayMeasured(loopDelay, delayText, timeOf)}`}
          />
        ) : null}
      </div>
      <Figures detail={detail} />
    </>
  );
}

function timeOf(at: number): string {
  return sentenceTime(new Date(at).toISOString(), Date.now());
}

/** The same figures as a table, rendered once opened. */
function Figures({ detail }: { readonly detail: ServiceDetail }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (detail.course.length === 0) return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show these figures as a table</summary>
      {isOpen ? <CourseTable detail={detail} /> : null}
    </details>
  );
}
