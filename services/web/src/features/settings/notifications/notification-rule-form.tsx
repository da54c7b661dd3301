import { useQuery } from "@tanstack/react-query";
import {
  type NotificationRule,
  type NotificationRuleChange,
  type NotificationRuleChoice,
  notificationRuleChangeSchema,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Choices } from "../../../components/choices.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import { TextArea } from "../../../components/text-area.tsx";
import { enteredLines } from "../../../lib/entered.ts";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import { membersQuery } from "../api/members.ts";
import styles from "../components/settings-page.module.css";
import { useViewer } from "../viewer.ts";
import { ChannelFields } from "./channel-fields.tsx";
import { enteredRule } from "./entered-rule.ts";
import { eventOptions, percent, severityOptions, triggerOptions } from "./notification-names.ts";
import { QuietHoursFields } from "./quiet-hours-fields.tsx";

/** Defaults for an on-call team: each incident of a service once, with its cause. */
const usual = notificationRuleChangeSchema.parse({
  name: "On call",
  events: ["completed", "failed"],
  triggers: ["event", "process-exit"],
  emails: ["a@example.com"],
});

/** How many members are offered as buttons. */
const suggestedMax = 12;

export interface NotificationRuleFormProps {
  /** Null for a new rule. */
  readonly rule: NotificationRule | null;
  readonly submit: (rule: NotificationRuleChange) => Promise<void>;
}

/** The fields of a rule. */
export function NotificationRuleForm({ rule, submit }: NotificationRuleFormProps): JSX.Element {
  const known = rule ?? { ...usual, name: "", emails: [] };
  return (
    <Form
      action={rule ? "Save rule" : "Create rule"}
      noValidate
      submit={(fields) => submit(enteredRule(fields, known.enabled))}
    >
      {(problems) => <Fields rule={known} problems={problems} />}
    </Form>
  );
}

interface FieldsProps {
  readonly rule: NotificationRuleChoice;
  readonly problems: FieldProblems;
}

function Fields({ rule, problems }: FieldsProps): JSX.Element {
  return (
    <>
      <Field
        label="Rule name"
        name="name"
        defaultValue={rule.name}
        placeholder="On call"
        autoComplete="off"
        problem={problems.name}
      />
      <div className={styles.pair}>
        <Choices label="When" name="events" options={eventOptions} chosen={rule.events} problem={problems.events} />
        <Choices
          label="Which incidents"
          name="triggers"
          options={triggerOptions}
          chosen={rule.triggers.length === 0 ? triggerOptions.map(({ value }) => value) : rule.triggers}
          problem={problems.triggers}
        />
        <Select
          label="Severity"
          name="min_severity"
          options={severityOptions}
          defaultValue={rule.min_severity}
          problem={problems.min_severity}
        />
        <Field
          label="Messages per hour"
          name="per_hour"
          inputMode="numeric"
          defaultValue={rule.per_hour}
          hint="The rest arrive in one summary at the end of the hour."
          problem={problems.per_hour}
        />
        <Field
          label="Minimum confidence in percent"
          name="min_confidence"
          inputMode="decimal"
          defaultValue={percent(rule.min_confidence)}
          hint="0 for any. Otherwise nothing is sent until a report reaches it."
          problem={problems.min_confidence}
        />
        <Lines label="Services" name="services" values={rule.services} problem={problems.services} />
        <Lines label="Environments" name="envs" values={rule.envs} problem={problems.envs} />
      </div>
      <Emails emails={rule.emails} problem={problems.emails} />
      <ChannelFields rule={rule} problems={problems} />
      <QuietHoursFields quiet={rule.quiet_hours} problems={problems} />
    </>
  );
}

interface LinesProps {
  readonly label: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly problem: string | undefined;
}

function Lines({ label, name, values, problem }: LinesProps): JSX.Element {
  return (
    <TextArea
      label={label}
      name={name}
      rows={2}
      defaultValue={values.join("\n")}
      spellCheck={false}
      hint="One per line; empty for all."
      problem={problem}
    />
  );
}

function Emails({ emails, problem }: { readonly emails: readonly string[]; readonly problem: string | undefined }) {
  const { organizationId } = useViewer();
  const { data } = useQuery(membersQuery(organizationId));
  const [text, setText] = useState(emails.join("\n"));
  const entered = enteredLines(text);
  const others = data?.members.filter(({ user }) => !entered.includes(user.email)) ?? [];
  return (
    <>
      <TextArea
        label="Email addresses"
        name="emails"
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
        spellCheck={false}
        autoComplete="off"
        hint="One per line, of members or anyone else."
        problem={problem}
      />
      {others.length > 0 ? (
        <div className={styles.buttons}>
          {others.slice(0, suggestedMax).map(({ id, user }) => (
            <Button key={id} onClick={() => setText([...entered, user.email].join("\n"))}>
              Add {user.name}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
}
