import { type Monitor, type MonitorChange, type MonitorKindName, monitorKinds } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import styles from "../components/settings-page.module.css";
import { enteredMonitor } from "./entered-monitor.ts";
import { CheckInFields, ThresholdFields, UptimeFields } from "./monitor-check-fields.tsx";
import { alertSeverityOptions, kindOptions } from "./monitor-names.ts";

export interface MonitorFormProps {
  /** Null for a new monitor. */
  readonly monitor: Monitor | null;
  readonly submit: (monitor: MonitorChange) => Promise<void>;
}

/** The fields of a monitor. Its kind is chosen when it is created. */
export function MonitorForm({ monitor, submit }: MonitorFormProps): JSX.Element {
  const [kind, setKind] = useState<MonitorKindName>(monitor?.check.kind ?? "uptime");
  return (
    <Form
      action={monitor ? "Save monitor" : "Create monitor"}
      noValidate
      submit={(fields) => submit(enteredMonitor(kind, fields))}
    >
      {(problems) => (
        <>
          {monitor ? null : (
            <Select
              label="Kind"
              name="kind"
              options={kindOptions}
              value={kind}
              onChange={({ target }) => setKind(monitorKinds.find((one) => one === target.value) ?? "uptime")}
            />
          )}
          <Field
            label="Monitor name"
            name="name"
            defaultValue={monitor?.name}
            autoComplete="off"
            problem={problems.name}
          />
          <CheckFields kind={kind} monitor={monitor} problems={problems} />
          <AlertFields kind={kind} monitor={monitor} problems={problems} />
        </>
      )}
    </Form>
  );
}

interface FieldsProps {
  readonly kind: MonitorKindName;
  readonly monitor: Monitor | null;
  readonly problems: FieldProblems;
}

function CheckFields({ kind, monitor, problems }: FieldsProps): JSX.Element {
  const check = monitor?.check;
  if (kind === "uptime") return <UptimeFields check={check?.kind === kind ? check : null} problems={problems} />;
  if (kind === "threshold") return <ThresholdFields check={check?.kind === kind ? check : null} problems={problems} />;
  return <CheckInFields check={check?.kind === kind ? check : null} problems={problems} />;
}

function AlertFields({ kind, monitor, problems }: FieldsProps): JSX.Element {
  return (
    <div className={styles.pair}>
      <Field
        label="Service"
        name="service"
        defaultValue={monitor?.service ?? ""}
        autoComplete="off"
        spellCheck={false}
        hint={kind === "threshold" ? "As telemetry names it." : "Optional. Its failures and releases are looked at."}
        problem={problems.service}
      />
      <Field
        label="Environment"
        name="env"
        defaultValue={monitor?.env ?? ""}
        placeholder="PROD"
        autoComplete="off"
        spellCheck={false}
        hint="Optional."
        problem={problems.env}
      />
      <Field
        label="Alert after"
        name="alert_after"
        inputMode="numeric"
        defaultValue={monitor?.alert_after ?? 1}
        hint={kind === "threshold" ? "Minutes in a row that it fails." : "Failed checks in a row."}
        problem={problems.alert_after}
      />
      <Select
        label="Severity of its incidents"
        name="severity"
        options={alertSeverityOptions}
        defaultValue={monitor?.severity ?? "high"}
        problem={problems.severity}
      />
    </div>
  );
}
