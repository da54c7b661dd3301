import { secondMs } from "@whence/protocol";
import "uplot/dist/uPlot.min.css";
import { type JSX, useEffect, useRef } from "react";
import uPlot from "uplot";
import { useIsDark } from "../../../lib/theme.ts";
import type { ChartMarker } from "../chart-markers.ts";
import styles from "./minutes-chart.module.css";

export interface MinutesChartProps {
  /** In milliseconds, one per minute. */
  readonly times: readonly number[];
  readonly counts: readonly number[];
  readonly markers: readonly ChartMarker[];
  /** What it shows, in words. */
  readonly label: string;
}

const heightPx = 130;
/** Half the width of a mark's head, in CSS pixels. */
const markerSize = 5;
const markerColors: Readonly<Record<ChartMarker["kind"], string>> = {
  deploy: "--chart-2",
  flag: "--medium",
  alert: "--critical",
};

/** Events per minute, with marks of what happened beside them. */
export default function MinutesChart({ times, counts, markers, label }: MinutesChartProps): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const chart = new uPlot(
      chartOptions(element, markers),
      [times.map((time) => time / secondMs), [...counts]],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [times, counts, markers, isDark]);
  return <div ref={ref} className={styles.chart} role="img" aria-label={label} />;
}

function chartOptions(element: HTMLElement, markers: readonly ChartMarker[]): uPlot.Options {
  const style = getComputedStyle(element);
  // A probe element resolves `light-dark()`, which a canvas doesn't support.
  const color = (name: string): string => resolved(element, `var(${name})`);
  const axis = { stroke: color("--text-soft"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
  const font = `11px ${style.fontFamily}`;
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(4, max * 1.15)] } },
    axes: [
      { ...axis, font, grid: { show: false }, values: (_chart, splits) => splits.map(minuteName) },
      { ...axis, font, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000] },
    ],
    series: [
      {},
      {
        stroke: color("--chart-1"),
        fill: color("--chart-1"),
        width: 0,
        points: { show: false },
        ...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.7, 24], align: 1 }) } : {}),
      },
    ],
    hooks: {
      draw: [
        (chart) => {
          for (const marker of markers) drawMarker(chart, marker, color(markerColors[marker.kind]));
        },
      ],
    },
  };
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });

function minuteName(seconds: number): string {
  return clock.format(new Date(seconds * secondMs));
}

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
