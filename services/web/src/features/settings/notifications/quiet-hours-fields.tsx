import { type QuietHours, weekdays } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Choices } from "../../../components/choices.tsx";
import { Field } from "../../../components/field.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import styles from "../components/settings-page.module.css";
import { exceptionOptions, switchOptions } from "./entered-quiet-hours.ts";
import { dayOptions } from "./notification-names.ts";

export interface QuietHoursFieldsProps {
  /** Null for none. */
  readonly quiet: QuietHours | null;
  readonly problems: FieldProblems;
}

/** When a rule's messages are held back. */
export function QuietHoursFields({ quiet, problems }: QuietHoursFieldsProps): JSX.Element {
  const [isOn, setIsOn] = useState(quiet !== null);
  const { time_zone: zone, from, to, days, except_critical: isExcepted } = quiet ?? usual();
  return (
    <>
      <Choices
        label="Quiet hours"
        name="quiet"
        options={switchOptions}
        chosen={isOn ? ["on"] : []}
        onChoice={(_, isChosen) => setIsOn(isChosen)}
      />
      {isOn ? (
        <div className={styles.pair}>
          <Field
            label="From"
            name="quiet_hours.from"
            type="time"
            defaultValue={from}
            problem={problems["quiet_hours.from"]}
          />
          <Field label="To" name="quiet_hours.to" type="time" defaultValue={to} problem={problems["quiet_hours.to"]} />
          <Field
            label="Time zone"
            name="quiet_hours.time_zone"
            defaultValue={zone}
            autoComplete="off"
            spellCheck={false}
            problem={problems["quiet_hours.time_zone"]}
          />
          <Choices
            label="Days on which they begin"
            name="quiet_hours.days"
            options={dayOptions}
            chosen={days}
            problem={problems["quiet_hours.days"]}
          />
          <Choices
            label="Exception"
            name="quiet_except"
            options={exceptionOptions}
            chosen={isExcepted ? ["critical"] : []}
          />
        </div>
      ) : null}
    </>
  );
}

function usual(): QuietHours {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { time_zone: timeZone, from: "22:00", to: "07:00", days: [...weekdays], except_critical: true };
}
