import {
  type Monitor,
  type MonitorChange,
  type MonitorCheck,
  minuteMs,
  monitorChangeSchema,
  monitorMetrics,
} from "@whence/protocol";
import { type CommandLine, textOption, UsageError } from "./command.ts";
import { durationMs } from "./time-option.ts";

/** The options of each kind; the first asks for it. */
const optionsOf = {
  uptime: ["uptime"],
  threshold: ["metric", "above", "below"],
  "check-in": ["check-in", "cron", "every"],
} as const satisfies Record<MonitorCheck["kind"], readonly string[]>;

/** Returns the monitor that a command line describes; everything else has the service's defaults. */
export function newMonitor(line: CommandLine): MonitorChange {
  const asked = Object.values(optionsOf).filter(([option]) => textOption(line, option) !== undefined);
  const [options, ...others] = asked;
  if (options === undefined || others.length > 0) {
    throw new UsageError("whence monitors add takes one of --uptime, --metric, --check-in");
  }
  const foreign = Object.values(optionsOf)
    .flat()
    .find((option) => textOption(line, option) !== undefined && !options.some((own) => own === option));
  if (foreign !== undefined) throw new UsageError(`--${foreign} doesn't go with --${options[0]}`);
  const [check, defaultName] = checkOf(line, options[0]);
  const wanted = monitorChangeSchema.safeParse({
    check,
    name: textOption(line, "name") ?? defaultName,
    service: textOption(line, "service") ?? null,
    env: textOption(line, "env") ?? null,
    severity: textOption(line, "severity"),
    alert_after: numberOption(line, "alert-after"),
  });
  if (wanted.success) return wanted.data;
  const [issue] = wanted.error.issues;
  throw new UsageError(`${issue?.path.join(".").replaceAll("_", "-")}: ${issue?.message}`);
}

/** What a monitor checks, in words. */
export function watchedText({ check, service }: Pick<Monitor, "check" | "service">): string {
  switch (check.kind) {
    case "uptime":
      return `${check.method} ${check.url}`;
    case "threshold":
      return `${check.metric} of ${service} ${check.condition} ${check.value}`;
    case "check-in":
      return `check-ins of ${check.slug}`;
  }
}

/** Returns a check, and what to call it. */
function checkOf(line: CommandLine, kind: "uptime" | "metric" | "check-in"): readonly [object, string] {
  const value = textOption(line, kind) ?? "";
  switch (kind) {
    case "uptime":
      return [{ kind: "uptime", url: value }, URL.canParse(value) ? nameOfUrl(new URL(value)) : value];
    case "metric":
      return [threshold(line, value), `${value} of ${textOption(line, "service") ?? ""}`];
    case "check-in":
      return [{ kind: "check-in", slug: value, schedule: schedule(line) }, value];
  }
}

function nameOfUrl({ host, pathname }: URL): string {
  return pathname === "/" ? host : `${host}${pathname}`;
}

function threshold(line: CommandLine, metric: string): object {
  if (!monitorMetrics.some((one) => one === metric)) {
    throw new UsageError(`--metric takes ${monitorMetrics.join(", ")}, but got "${metric.slice(0, 60)}"`);
  }
  const [above, below] = [numberOption(line, "above"), numberOption(line, "below")];
  if ((above === undefined) === (below === undefined)) throw new UsageError("--metric needs --above or --below");
  const condition = above === undefined ? "below" : "above";
  return { kind: "threshold", metric, condition, value: above ?? below };
}

function schedule(line: CommandLine): object {
  const [crontab, every] = [textOption(line, "cron"), textOption(line, "every")];
  if ((crontab === undefined) === (every === undefined)) throw new UsageError("--check-in needs --cron or --every");
  if (crontab !== undefined) return { type: "crontab", crontab };
  const ms = durationMs(every ?? "");
  if (ms !== null && ms >= minuteMs && ms % minuteMs === 0) return { type: "interval", minutes: ms / minuteMs };
  throw new UsageError(
    `--every takes a time of whole minutes such as 30m, 2h, or 7d, but got "${every?.slice(0, 60)}"`,
  );
}

function numberOption(line: CommandLine, name: string): number | undefined {
  const text = textOption(line, name);
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a number, but got "${text.slice(0, 60)}"`);
}
