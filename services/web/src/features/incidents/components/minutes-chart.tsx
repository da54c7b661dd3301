import { secondMs } from "@whence/protocol";
import "uplot/dist/uPlot.min.css";
import { type JSX, useEffect, useRef } from "react";
import uPlot from "uplot";
import { useIsDark } from "../../../lib/theme.ts";
import type { ChangePoint } from "../change-point.ts";
import styles from "./minutes-chart.module.css";

export interface MinutesChartProps {
  /** In milliseconds, one per minute. */
  readonly times: readonly number[];
  readonly counts: readonly number[];
  readonly change: ChangePoint | null;
  /** What it shows, in words. */
  readonly label: string;
}

const heightPx = 150;

/** Events per minute, and the minute from which there are more. */
export default function MinutesChart({ times, counts, change, label }: MinutesChartProps): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const chart = new uPlot(
      chartOptions(element, change === null ? null : (times[change.index] ?? null)),
      [times.map((time) => time / secondMs), [...counts]],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [times, counts, change, isDark]);
  return <div ref={ref} className={styles.chart} role="img" aria-label={label} />;
}

function chartOptions(element: HTMLElement, changeAt: number | null): uPlot.Options {
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
    hooks: { draw: [(chart) => drawChange(chart, changeAt, color("--chart-2"), font)] },
  };
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });

function minuteName(seconds: number): string {
  return clock.format(new Date(seconds * secondMs));
}

function drawChange(chart: uPlot, changeAt: number | null, color: string, font: string): void {
  if (changeAt === null) return;
  const { ctx, bbox } = chart;
  const x = Math.round(chart.valToPos(changeAt / secondMs, "x", true));
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = font.replace("11px", `${11 * devicePixelRatio}px`);
  ctx.textAlign = x > bbox.left + bbox.width / 2 ? "right" : "left";
  ctx.fillText("change", x + (ctx.textAlign === "right" ? -5 : 5) * devicePixelRatio, bbox.top + 11 * devicePixelRatio);
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
