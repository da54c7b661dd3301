import { useQuery } from "@tanstack/react-query";
import { type IncidentThresholds, incidentThresholdsSchema } from "@whence/protocol";
import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { TextArea } from "../../../components/text-area.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import { changeThresholds, thresholdsQuery } from "../api/thresholds.ts";
import { enteredThresholds, thresholdLists, thresholdNumbers } from "../entered-thresholds.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import styles from "./settings-page.module.css";
import { SettingsPage } from "./settings-page.tsx";

const defaults = incidentThresholdsSchema.parse({});

/** The thresholds at which a failure becomes an incident. */
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
        await change(changeThresholds(enteredThresholds(fields, thresholds)), "Saved");
      }}
    >
      {(problems) => <Fields thresholds={thresholds} problems={problems} isReadOnly={false} />}
    </Form>
  );
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
        {thresholdNumbers.map(([name, label, hint]) => (
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
      {thresholdLists.map(([name, label, hint]) => (
        <TextArea
          key={name}
          label={label}
          name={name}
          rows={4}
          defaultValue={thresholds[name].join("\n")}
          readOnly={isReadOnly}
          spellCheck={false}
          hint={hint}
          problem={problems[name]}
        />
      ))}
    </>
  );
}
