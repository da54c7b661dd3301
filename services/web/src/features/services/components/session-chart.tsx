import type { ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { ChartFigure } from "../../../components/chart-figure.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { percentText } from "../error-rate.ts";
import { sayMeasured } from "../service-course.ts";
import { crashedByHour } from "../session-counts.ts";

const percentName = (percent: number): string => percentText(percent / 100);
const timeOf = (at: number): string => sentenceTime(new Date(at).toISOString(), Date.now());

/** The share of sessions that crashed, by hour. */
export default function SessionChart({ detail }: { readonly detail: ServiceDetail }): JSX.Element {
  const crashed = crashedByHour(detail);
  return (
    <ChartFigure
      caption="Crashed sessions"
      {...crashed}
      markers={[]}
      nameOf={percentName}
      reach={1}
      label={`Crashed sessions: ${sayMeasured(crashed, percentName, timeOf)}`}
    />
  );
}
