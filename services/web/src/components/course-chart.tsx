import { dayMs, secondMs } from "@whence/protocol";
import "uplot/dist/uPlot.min.css";
import { type JSX, useEffect, useRef } from "react";
import uPlot from "uplot";
import { useIsDark } from "../lib/theme.ts";
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
const timeAxisPx = 30;
const axisPx = 36;
const namedAxisPx = 56;
/** Half the width of a mark's head, in CSS pixels. */
const markerSize = 5;
const markerColors: Readonly<Record<ChartMarker["kind"], string>> = {
  deploy: "--chart-2",
  flag: "--medium",
  alert: "--critical",
};
const countSteps = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].flatMap((step) => [step, 2 * step, 5 * step]);
const countReach = 4;

/** A figure over time, with marks of what happened beside it. */
export default function CourseChart(props: CourseChartProps): JSX.Element {
  const { times, values, markers, label, as = "bars", nameOf, reach = countReach } = props;
  const ref = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const chart = new uPlot(
      chartOptions(element, { times, markers, as, nameOf, reach }),
      [times.map((time) => time / secondMs), [...values]],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [times, values, markers, isDark, as, nameOf, reach]);
  return <div ref={ref} className={styles.chart} role="img" aria-label={label} />;
}

interface Drawn extends Pick<CourseChartProps, "times" | "markers" | "as"> {
  readonly nameOf: CourseChartProps["nameOf"] | undefined;
  readonly reach: number;
}

function chartOptions(element: HTMLElement, { times, markers, as, nameOf, reach }: Drawn): uPlot.Options {
  const style = getComputedStyle(element);
  // A probe element resolves `light-dark()`, which a canvas doesn't support.
  const color = (name: string): string => resolved(element, `var(${name})`);
  const axis = { stroke: color("--text-soft"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
  const font = `11px ${style.fontFamily}`;
  const timeName = (times.at(-1) ?? 0) - (times[0] ?? 0) > dayMs ? day : clock;
  const names = nameOf && { values: (_chart: uPlot, splits: number[]) => splits.map(nameOf), size: namedAxisPx };
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(reach, max * 1.15)] } },
    axes: [
      {
        ...{ ...axis, font, grid: { show: false }, size: timeAxisPx },
        values: (_chart, splits) => splits.map((seconds) => timeName.format(new Date(seconds * secondMs))),
      },
      { ...axis, font, ...(names ?? { size: axisPx, incrs: countSteps }) },
    ],
    series: [{}, as === "bars" ? bars(color("--chart-1")) : line(color("--chart-1"))],
    hooks: {
      draw: [
        (chart) => {
          for (const marker of markers) drawMarker(chart, marker, color(markerColors[marker.kind]));
        },
      ],
    },
  };
}

function bars(color: string): uPlot.Series {
  return {
    ...{ stroke: color, fill: color, width: 0, points: { show: false } },
    ...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.7, 24], align: 1 }) } : {}),
  };
}

/** Heartbeats don't come in every step: the line goes on over the gap. */
function line(color: string): uPlot.Series {
  return { stroke: color, width: 2, points: { size: 4, fill: color }, spanGaps: true };
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

function drawMarker(chart: uPlot, { at }: ChartMarker, color: string): void {
  const { ctx, bbox } = chart;
  const x = Math.round(chart.valToPos(at / secondMs, "x", true));
  const size = markerSize * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x - size, bbox.top);
  ctx.lineTo(x + size, bbox.top);
  ctx.lineTo(x, bbox.top + size);
  ctx.fill();
  ctx.restore();
}

function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
