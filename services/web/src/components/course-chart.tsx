import { dayMs, minuteMs } from "@whence/protocol";
import type { JSX } from "react";
import { hourAndMinute, monthAndDay } from "../lib/times.ts";
import { timeTicks, valueTicks } from "./chart-axis.ts";
import styles from "./course-chart.module.css";

/** Something that happened at a moment of a chart. */
export interface ChartMarker {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly kind: "deploy" | "flag" | "alert";
  readonly text: string;
}

export interface CourseChartProps {
  /** In milliseconds, evenly spaced. */
  readonly times: readonly number[];
  /** Null where there is no figure. */
  readonly values: readonly (number | null)[];
  readonly markers: readonly ChartMarker[];
  /** What it shows, in words. */
  readonly label: string;
  /** Bars for what is counted, a line for what is measured. */
  readonly as?: "bars" | "line";
  /** The text of a value beside the axis; the number itself by default. */
  readonly nameOf?: (value: number) => string;
  /** The axis reaches at least this far. */
  readonly reach?: number;
}

const heightPx = 130;
/** Room for a mark's head above the figures, and for the times below them. */
const [topPx, bottomPx] = [8, 22];
const plotPx = heightPx - topPx - bottomPx;
/** Half the width of a mark's head. */
const markPx = 5;
const countReach = 4;
/** Room above the largest figure. */
const headroom = 1.15;
const barShare = 0.7;

/** A figure over time, with marks of what happened beside it. */
export function CourseChart(props: CourseChartProps): JSX.Element {
  const { times, values, markers, label, as = "bars", nameOf, reach = countReach } = props;
  const scale = scaleOf(times, values, reach);
  const [from = 0] = times;
  const inside = markers.filter(({ at }) => at >= from && at <= scale.to);
  return (
    <div role="img" aria-label={label} className={styles.chart} data-named={nameOf ? "" : undefined}>
      <svg width="100%" height={heightPx} className={styles.plot} aria-hidden="true">
        <ValueAxis scale={scale} nameOf={nameOf} />
        <TimeAxis from={from} scale={scale} />
        {as === "line" ? <Line times={times} values={values} scale={scale} /> : null}
        {times.map((at, index) => (
          <Step key={at} at={at} value={values[index] ?? null} isBar={as === "bars"} scale={scale} nameOf={nameOf} />
        ))}
        {inside.map((marker) => (
          <Mark key={`${marker.at} ${marker.kind} ${marker.text}`} marker={marker} scale={scale} />
        ))}
      </svg>
    </div>
  );
}

interface Scale {
  /** Where the time axis ends, in milliseconds. */
  readonly to: number;
  /** The width of a step, in percent. */
  readonly stepShare: number;
  readonly top: number;
  /** The place of a time, in percent of the width. */
  across(at: number): number;
  /** The place of a value, in pixels from the top. */
  down(value: number): number;
}

function scaleOf(times: readonly number[], values: readonly (number | null)[], reach: number): Scale {
  const [from = 0, second = from + minuteMs] = times;
  const stepMs = second - from;
  const to = (times.at(-1) ?? from) + stepMs;
  const top = Math.max(reach, Math.max(...values.map((value) => value ?? 0)) * headroom);
  return {
    to,
    top,
    stepShare: (stepMs / (to - from)) * 100,
    across: (at) => ((at - from) / (to - from)) * 100,
    down: (value) => topPx + (1 - value / top) * plotPx,
  };
}

interface Scaled {
  readonly scale: Scale;
}

interface ValueAxisProps extends Scaled {
  readonly nameOf: CourseChartProps["nameOf"] | undefined;
}

function ValueAxis({ scale: { top, down }, nameOf }: ValueAxisProps): JSX.Element[] {
  return valueTicks(top, nameOf === undefined).map((tick) => (
    <g key={tick}>
      <line x1="0" x2="100%" y1={down(tick)} y2={down(tick)} className={styles.grid} />
      <text x="-6" y={down(tick) + 4} textAnchor="end" className={styles.tick}>
        {nameOf ? nameOf(tick) : tick.toLocaleString()}
      </text>
    </g>
  ));
}

function TimeAxis({ from, scale: { to, across } }: Scaled & { readonly from: number }): JSX.Element[] {
  const ticks = timeTicks(from, to, -new Date(from).getTimezoneOffset() * minuteMs);
  const [first = 0, second = first] = ticks;
  const nameOf = second - first >= dayMs ? monthAndDay : hourAndMinute;
  return ticks.map((tick) => (
    <text key={tick} x={`${across(tick)}%`} y={heightPx - 5} textAnchor="middle" className={styles.tick}>
      {nameOf(tick)}
    </text>
  ));
}

interface StepProps extends ValueAxisProps {
  readonly at: number;
  readonly value: number | null;
  readonly isBar: boolean;
}

/** One step of the time axis, which says its figure when it is pointed at. */
function Step({ at, value, isBar, scale, nameOf }: StepProps): JSX.Element | null {
  if (value === null) return null;
  const { stepShare, across, down } = scale;
  const [x, y] = [`${across(at)}%`, down(value)];
  return (
    <g>
      <title>{`${hourAndMinute(at)}: ${nameOf ? nameOf(value) : value.toLocaleString()}`}</title>
      <rect x={x} width={`${stepShare}%`} y={topPx} height={plotPx} className={styles.step} />
      {isBar ? (
        <rect x={x} width={`${stepShare * barShare}%`} y={y} height={down(0) - y} className={styles.bar} />
      ) : (
        <circle cx={x} cy={y} r="2" className={styles.bar} />
      )}
    </g>
  );
}

/** A line, which continues over steps without heartbeats. */
function Line({ times, values, scale }: Scaled & Pick<CourseChartProps, "times" | "values">): JSX.Element {
  const points = times.flatMap((at, index) => {
    const value = values[index] ?? null;
    return value === null ? [] : [`${scale.across(at)},${scale.down(value)}`];
  });
  return (
    <svg width="100%" height={heightPx} viewBox={`0 0 100 ${heightPx}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(" ")} vectorEffect="non-scaling-stroke" className={styles.line} />
    </svg>
  );
}

/** A line where something happened, with a head. */
function Mark({ marker: { at, kind }, scale }: Scaled & { readonly marker: ChartMarker }): JSX.Element {
  return (
    <svg x={`${scale.across(at)}%`} className={styles.mark} data-kind={kind} aria-hidden="true">
      <line y1={topPx} y2={topPx + plotPx} />
      <path d={`M${-markPx} ${topPx}h${2 * markPx}l${-markPx} ${markPx}z`} />
    </svg>
  );
}
