import type { CheckInCheck, ThresholdCheck, UptimeCheck } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Field, type FieldProps } from "../../../components/field.tsx";
import { Select } from "../../../components/select.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import styles from "../components/settings-page.module.css";
import { checkProblem } from "./entered-monitor.ts";
import { conditionOptions, methodOptions, metricOptions, scheduleOptions } from "./monitor-names.ts";

interface CheckFieldsProps<Check> {
  /** Null for a new monitor. */
  readonly check: Check | null;
  readonly problems: FieldProblems;
}

/** What an uptime check requests, and what it expects. */
export function UptimeFields({ check, problems }: CheckFieldsProps<UptimeCheck>): JSX.Element {
  return (
    <>
      <Text
        label="URL"
        name="url"
        type="url"
        defaultValue={check?.url}
        placeholder="https://shop.example.com/health"
        problem={checkProblem(problems, "url", true)}
      />
      <div className={styles.pair}>
        <Select label="Method" name="method" options={methodOptions} defaultValue={check?.method ?? "GET"} />
        <Whole
          label="Minutes between checks"
          name="interval_minutes"
          defaultValue={check?.interval_minutes ?? 1}
          problem={checkProblem(problems, "interval_minutes")}
        />
        <Whole
          label="Timeout in seconds"
          name="timeout_seconds"
          defaultValue={check?.timeout_seconds ?? 10}
          problem={checkProblem(problems, "timeout_seconds")}
        />
        <Text
          label="Expected statuses"
          name="statuses"
          defaultValue={check?.statuses.join(", ")}
          placeholder="200"
          hint="Separated by commas; empty for any from 200 to 299."
          problem={checkProblem(problems, "statuses")}
        />
        <Text
          label="Text in the body"
          name="body_contains"
          defaultValue={check?.body_contains ?? ""}
          hint="Optional."
          problem={checkProblem(problems, "body_contains")}
        />
        <Whole
          label="Days before its certificate expires"
          name="certificate_days"
          defaultValue={check?.certificate_days ?? 7}
          hint="0 ignores the certificate's end."
          problem={checkProblem(problems, "certificate_days")}
        />
      </div>
    </>
  );
}

/** What a threshold compares. */
export function ThresholdFields({ check, problems }: CheckFieldsProps<ThresholdCheck>): JSX.Element {
  return (
    <div className={styles.pair}>
      <Select label="Metric" name="metric" options={metricOptions} defaultValue={check?.metric} />
      <Select label="Condition" name="condition" options={conditionOptions} defaultValue={check?.condition} />
      <Text
        label="Value"
        name="value"
        inputMode="decimal"
        defaultValue={check?.value}
        problem={checkProblem(problems, "value", true)}
      />
      <Text
        label="Recovery value"
        name="recovery"
        inputMode="decimal"
        defaultValue={check?.recovery ?? ""}
        hint="Optional. An alert ends only once this is reached."
        problem={checkProblem(problems, "recovery")}
      />
      <Whole
        label="Window in minutes"
        name="window_minutes"
        defaultValue={check?.window_minutes ?? 5}
        problem={checkProblem(problems, "window_minutes")}
      />
    </div>
  );
}

/** When a job runs. */
export function CheckInFields({ check, problems }: CheckFieldsProps<CheckInCheck>): JSX.Element {
  const schedule = check?.schedule ?? null;
  const [type, setType] = useState<string>(schedule?.type ?? "crontab");
  const zone = schedule?.type === "crontab" ? schedule.time_zone : ownTimeZone();
  const ofSchedule = checkProblem(problems, "schedule", true);
  return (
    <div className={styles.pair}>
      <Text
        label="Slug"
        name="slug"
        defaultValue={check?.slug}
        placeholder="nightly-backup"
        hint="Names the job in its check-in address."
        problem={checkProblem(problems, "slug")}
      />
      <Select
        label="Schedule"
        name="schedule"
        options={scheduleOptions}
        value={type}
        onChange={({ target }) => setType(target.value)}
      />
      {type === "crontab" ? (
        <>
          <Text
            label="Crontab"
            name="crontab"
            defaultValue={schedule?.type === "crontab" ? schedule.crontab : ""}
            placeholder="0 3 * * *"
            hint="Minute, hour, day of the month, month, day of the week."
            problem={ofSchedule}
          />
          <Text label="Time zone" name="time_zone" defaultValue={zone} />
        </>
      ) : (
        <Whole
          label="Minutes between runs"
          name="minutes"
          defaultValue={schedule?.type === "interval" ? schedule.minutes : 60}
          problem={ofSchedule}
        />
      )}
      <Whole
        label="Grace in minutes"
        name="grace_minutes"
        defaultValue={check?.grace_minutes ?? 5}
        hint="How late a check-in may come."
        problem={checkProblem(problems, "grace_minutes")}
      />
      <Whole
        label="Longest run in minutes"
        name="max_runtime_minutes"
        defaultValue={check?.max_runtime_minutes ?? ""}
        hint="Optional."
        problem={checkProblem(problems, "max_runtime_minutes")}
      />
    </div>
  );
}

function Text(field: FieldProps): JSX.Element {
  return <Field autoComplete="off" spellCheck={false} {...field} />;
}

function Whole(field: FieldProps): JSX.Element {
  return <Text inputMode="numeric" {...field} />;
}

function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
