import { type MonitorChange, type MonitorKindName, monitorChangeSchema } from "@whence/protocol";
import { enteredCount, enteredNumber } from "../../../lib/entered.ts";
import { checkFields, type FieldProblems } from "../../../lib/field-problems.ts";

type Fields = Readonly<Record<string, string>>;

/** Returns the monitor entered in a form. Throws a `RefusedFields` for values that the API would reject. */
export function enteredMonitor(kind: MonitorKindName, fields: Fields): MonitorChange {
  const { name, severity, service = "", env = "", alert_after = "" } = fields;
  return checkFields(monitorChangeSchema, {
    name,
    severity,
    service: orNull(service),
    env: orNull(env),
    alert_after: enteredNumber(alert_after),
    check: { kind, ...enteredCheck[kind](fields) },
  });
}

/** Returns why a part of the check was rejected. A reason that names no part belongs to the main one. */
export function checkProblem(problems: FieldProblems, part: string, isMain = false): string | undefined {
  const isOfPart = Object.keys(problems).some((name) => name.startsWith("check."));
  return problems[`check.${part}`] ?? (isMain && !isOfPart ? problems.check : undefined);
}

const enteredCheck: Readonly<Record<MonitorKindName, (fields: Fields) => object>> = {
  uptime: ({
    url,
    method,
    interval_minutes,
    timeout_seconds,
    statuses = "",
    body_contains = "",
    certificate_days,
  }) => ({
    url,
    method,
    body_contains: orNull(body_contains),
    interval_minutes: enteredNumber(interval_minutes ?? ""),
    timeout_seconds: enteredNumber(timeout_seconds ?? ""),
    certificate_days: enteredNumber(certificate_days ?? ""),
    statuses: statuses
      .split(/[\s,]+/)
      .filter((status) => status !== "")
      .map(enteredNumber),
  }),
  threshold: ({ metric, condition, value = "", recovery = "", window_minutes = "" }) => ({
    metric,
    condition,
    value: enteredNumber(value),
    window_minutes: enteredNumber(window_minutes),
    recovery: recovery.trim() === "" ? null : enteredNumber(recovery),
  }),
  "check-in": ({ slug, schedule, crontab, time_zone, minutes = "", grace_minutes = "", max_runtime_minutes = "" }) => ({
    slug,
    schedule:
      schedule === "interval"
        ? { type: "interval", minutes: enteredNumber(minutes) }
        : { type: "crontab", crontab, time_zone },
    grace_minutes: enteredNumber(grace_minutes),
    max_runtime_minutes: enteredCount(max_runtime_minutes),
  }),
};

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
