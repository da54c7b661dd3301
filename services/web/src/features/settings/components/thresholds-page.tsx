import { useQuery } from "@tanstack/react-query";
import { type IncidentThresholds, incidentThresholdsSchema } from "@whence/protocol";
import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { TextArea } from "../../../components/text-area.tsx";
import { checkFields, type FieldProblems } from "../../../lib/field-problems.ts";
import { changeThresholds, thresholdsQuery } from "../api/thresholds.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import styles from "./settings-page.module.css";
import { SettingsPage } from "./settings-page.tsx";

const defaults = incidentThresholdsSchema.parse({});

/** The meaning of each number. */
const numbers = [
  ["min_events", "Events before the first incident", "Of one failure, within the window"],
  ["window_minutes", "Window, in minutes", "How long events are counted"],
  ["quiet_hours", "Quiet hours", "How long a failure must be gone before it counts as returned"],
  ["spike_factor", "Spike factor", "A spike is this many times a failure's highest count in any window"],
  ["incidents_per_hour", "Incidents per hour", "The most that telemetry may open"],
  ["source_incidents_per_hour", "Incidents per hour of a source", "The most that one alert source may open"],
] as const;

const lists = [
  ["muted_services", "Muted services"],
  ["muted_fingerprints", "Muted failures"],
] as const;

const listHints = {
  muted_services: "Their failures open no incidents. One name per line.",
  muted_fingerprints: "They open no incidents. One fingerprint per line, as shown on an incident.",
} as const;

/** When a failure is an incident. */
export function ThresholdsPage(): JSX.Element {
  const thresholds = useQuery(thresholdsQuery);
  return (
    <SettingsPage
      title="Incident thresholds"
      lead="When a failure becomes an incident, and which failures never do. An analysis that someone requests always opens one."
      owners="can change the thresholds"
    >
      <Loaded query={thresholds} lines={10}>
        {(data) => <Thresholds thresholds={data} />}
      </Loaded>
    </SettingsPage>
  );
}

function Thresholds({ thresholds }: { readonly thresholds: IncidentThresholds }): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  if (!isOwner) return <Fields thresholds={thresholds} problems={{}} isReadOnly />;
  return (
    <Form
      action="Save"
      noValidate
      submit={async (fields) => {
        await change(changeThresholds(checkFields(incidentThresholdsSchema, entered(fields))), "Saved");
      }}
    >
      {(problems) => <Fields thresholds={thresholds} problems={problems} isReadOnly={false} />}
    </Form>
  );
}

/** The fields in the form that the API accepts. Text that isn't a number stays text, so that the schema rejects it. */
function entered(fields: Readonly<Record<string, string>>): object {
  const number = (text: string): number | string =>
    text.trim() === "" ? text : Number.isNaN(Number(text)) ? text : Number(text);
  const lines = (text: string): string[] =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  return {
    ...Object.fromEntries(numbers.map(([name]) => [name, number(fields[name] ?? "")])),
    ...Object.fromEntries(lists.map(([name]) => [name, lines(fields[name] ?? "")])),
  };
}

interface FieldsProps {
  readonly thresholds: IncidentThresholds;
  readonly problems: FieldProblems;
  readonly isReadOnly: boolean;
}

function Fields({ thresholds, problems, isReadOnly }: FieldsProps): JSX.Element {
  return (
    <>
      <div className={styles.pair}>
        {numbers.map(([name, label, hint]) => (
          <Field
            key={name}
            label={label}
            name={name}
            inputMode="decimal"
            defaultValue={thresholds[name]}
            readOnly={isReadOnly}
            hint={`${hint}. Default: ${defaults[name]}`}
            problem={problems[name]}
          />
        ))}
      </div>
      {lists.map(([name, label]) => (
        <TextArea
          key={name}
          label={label}
          name={name}
          rows={4}
          defaultValue={thresholds[name].join("\n")}
          readOnly={isReadOnly}
          spellCheck={false}
          hint={listHints[name]}
          problem={problems[name]}
        />
      ))}
    </>
  );
}
