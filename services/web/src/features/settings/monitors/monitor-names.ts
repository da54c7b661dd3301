import {
  type MonitorCheck,
  type MonitorKindName,
  type MonitorMetric,
  type MonitorResult,
  type MonitorState,
  monitorKinds,
  monitorMetrics,
  severities,
} from "@whence/protocol";
import type { Tone } from "../../../components/badge.tsx";

const kindNames: Readonly<Record<MonitorKindName, string>> = {
  uptime: "Uptime check",
  threshold: "Threshold",
  "check-in": "Check-in",
};

const metricNames: Readonly<Record<MonitorMetric, string>> = {
  failures: "Failures per minute",
  "failed-requests": "Failed requests, percent",
  memory: "Memory of the largest process, MB",
  "event-loop-delay": "Event-loop delay, ms",
  processes: "Processes alive",
};

export const kindOptions = monitorKinds.map((value) => ({ value, name: kindNames[value] }));
export const metricOptions = monitorMetrics.map((value) => ({ value, name: metricNames[value] }));
export const methodOptions = ["GET", "HEAD"].map((value) => ({ value, name: value }));
export const conditionOptions = [
  { value: "above", name: "Above" },
  { value: "below", name: "Below" },
] as const;
export const scheduleOptions = [
  { value: "crontab", name: "Crontab" },
  { value: "interval", name: "Interval" },
] as const;
export const alertSeverityOptions = severities.map((value) => ({
  value,
  name: `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}));

export const stateTones: Readonly<Record<MonitorState, Tone>> = {
  waiting: "low",
  passing: "good",
  failing: "high",
  alerting: "critical",
  paused: "low",
};

export const outcomeTones: Readonly<Record<MonitorResult["outcome"], Tone>> = {
  passed: "good",
  failed: "critical",
  started: "low",
  "not-checked": "low",
};

/** Returns what a monitor checks, and how often, in a line each. */
export function checkFacts(check: MonitorCheck): readonly string[] {
  switch (check.kind) {
    case "uptime":
      return [kindNames.uptime, check.url, everyText(check.interval_minutes)];
    case "threshold":
      return [kindNames.threshold, `${metricNames[check.metric]} ${check.condition} ${check.value.toLocaleString()}`];
    case "check-in": {
      const { schedule } = check;
      const when =
        schedule.type === "crontab" ? `${schedule.crontab} (${schedule.time_zone})` : everyText(schedule.minutes);
      return [kindNames["check-in"], check.slug, when];
    }
  }
}

function everyText(minutes: number): string {
  return minutes === 1 ? "every minute" : `every ${minutes.toLocaleString()} minutes`;
}
