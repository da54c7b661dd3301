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

/** What each number says. */
const numbers = [
  ["min_events", "Events before the first incident", "of one failure, within the window"],
  ["window_minutes", "Window, in minutes", "the span in which events are counted"],
  ["quiet_hours", "Quiet hours", "how long a failure is away before it counts as back"],
  ["spike_factor", "Spike factor", "times the most that a failure ever had in a window"],
  ["incidents_per_hour", "Incidents an hour", "that telemetry may open"],
] as const;

const lists = [
  ["muted_services", "Muted services"],
  ["muted_fingerprints", "Muted failures"],
] as const;

const listHints = {
  muted_services: "Their failures open no incident. One name a line.",
  muted_fingerprints: "They open no incident. One fingerprint a line, as an incident shows it.",
} as const;

/** When a failure is an incident. */
export function ThresholdsPage(): JSX.Element {
  const thresholds = useQuery(thresholdsQuery);
  return (
    <SettingsPage
      title="Incident thresholds"
      lead="When a failure of a service becomes an incident, and which ones never do. What was asked for by somebody is always one."
      owners="change the thresholds"
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

/** As the service takes it: text that is no number stays one, and is refused as such. */
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
            hint={`${hint}; ${defaults[name]} when nobody decides otherwise`}
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
