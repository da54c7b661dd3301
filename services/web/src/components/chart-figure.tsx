import type { JSX, ReactNode } from "react";
import styles from "./chart-figure.module.css";
import { type ChartMarker, CourseChart, type CourseChartProps } from "./course-chart.tsx";
import { Moment } from "./time.tsx";

export interface ChartFigureProps extends CourseChartProps {
  readonly caption: string;
  /** How many of the marks are listed below the chart, the latest first. */
  readonly markersListed?: number;
  /** Shown between the chart and its marks. */
  readonly children?: ReactNode;
}

const listedByDefault = 4;
const kindNames: Readonly<Record<ChartMarker["kind"], string>> = { deploy: "Deploy", flag: "Flag", alert: "Alert" };

/** A chart with its caption, and what the marks in it are. */
export function ChartFigure({
  caption,
  markersListed = listedByDefault,
  children,
  ...chart
}: ChartFigureProps): JSX.Element {
  return (
    <figure className={styles.figure}>
      <figcaption>{caption}</figcaption>
      <CourseChart {...chart} />
      {children ? <p className={styles.soft}>{children}</p> : null}
      <Markers markers={chart.markers.toReversed().slice(0, markersListed)} />
    </figure>
  );
}

function Markers({ markers }: { readonly markers: readonly ChartMarker[] }): JSX.Element | null {
  if (markers.length === 0) return null;
  return (
    <ul className={styles.markers} aria-label="Marks in the chart">
      {markers.map(({ at, kind, text }) => {
        return (
          <li key={`${at} ${kind} ${text}`} data-kind={kind}>
            <strong>{kindNames[kind]}</strong> {text}, <Moment at={new Date(at).toISOString()} />
          </li>
        );
      })}
    </ul>
  );
}
