import { useQuery } from "@tanstack/react-query";
import { limits, type Organization, organizationChangeSchema } from "@whence/protocol";
import type { JSX } from "react";
import { Choices } from "../../../components/choices.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { chosenOf } from "../../../lib/chosen.ts";
import { enteredCount } from "../../../lib/entered.ts";
import { checkFields } from "../../../lib/field-problems.ts";
import { megabytes } from "../../../lib/size-name.ts";
import {
  changeOrganization,
  deleteOrganizationData,
  organizationExportPath,
  organizationQuery,
} from "../api/organization.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import styles from "./data-page.module.css";
import { SettingsPage } from "./settings-page.tsx";

const number = new Intl.NumberFormat();
const settingsSchema = organizationChangeSchema.shape.settings;
const plainUsers = [{ value: "plain", name: "Store ids, email addresses, and IP addresses as sent" }];

/** The retention of telemetry and inputs, the quotas, and the export and deletion of all data. */
export function DataPage(): JSX.Element {
  const { isOwner } = useViewer();
  const organization = useQuery(organizationQuery);
  return (
    <SettingsPage
      title="Retention and quota"
      lead="How long telemetry and the inputs of analyses are kept, and how much is accepted. Incidents and their reports stay until someone deletes them."
      owners="can change this"
    >
      <Loaded query={organization} lines={6}>
        {(data) => (
          <>
            <Usage organization={data} />
            <Inputs organization={data} />
            {isOwner ? <Settings organization={data} /> : <Values organization={data} />}
            {isOwner ? <TakeOrDelete name={data.name} /> : null}
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function Usage({ organization }: { readonly organization: Organization }): JSX.Element {
  const { usage, settings } = organization;
  const { events_per_day: quota } = settings;
  return (
    <Panel title="Today" note={`${usage.day}, in UTC. Batches beyond the quota are rejected until the next day.`}>
      <p className={styles.usage}>
        <strong>{number.format(usage.events)}</strong>
        {quota === null ? " events accepted, no quota" : ` of ${number.format(quota)} events accepted`}
      </p>
      {quota === null ? null : (
        <progress className={styles.bar} max={quota} value={Math.min(usage.events, quota)} aria-label="Quota used" />
      )}
    </Panel>
  );
}

function Inputs({ organization }: { readonly organization: Organization }): JSX.Element {
  const { usage, settings } = organization;
  const bytesMax = settings.input_bytes_max ?? limits.organizationInputBytesMax;
  return (
    <Panel title="Analysis inputs" note="Texts and files sent for analysis, compressed.">
      <p className={styles.usage}>
        <strong>{megabytes(usage.input_bytes)}</strong> of {megabytes(bytesMax)} used
      </p>
      <progress
        className={styles.bar}
        max={bytesMax}
        value={Math.min(usage.input_bytes, bytesMax)}
        aria-label="Storage used for analysis inputs"
      />
    </Panel>
  );
}

function Settings({ organization }: { readonly organization: Organization }): JSX.Element {
  const change = useChange();
  const { retention_days, events_per_day, input_bytes_max, plain_users } = organization.settings;
  return (
    <Panel title="Settings">
      <Form
        action="Save"
        noValidate
        submit={async (fields) => {
          const { retention_days = "", events_per_day = "", input_bytes_max = "" } = fields;
          const entered = {
            retention_days: enteredCount(retention_days),
            events_per_day: enteredCount(events_per_day),
            input_bytes_max: enteredCount(input_bytes_max),
            plain_users: chosenOf(fields, "users", plainUsers).length > 0,
            passwords_off: organization.settings.passwords_off,
          };
          await change(changeOrganization(checkFields(settingsSchema, entered)), "Saved");
        }}
      >
        {(problems) => (
          <>
            <Field
              label="Days to keep telemetry and inputs"
              name="retention_days"
              inputMode="numeric"
              defaultValue={retention_days ?? ""}
              placeholder="service default"
              hint="1 to 3,650; empty for the service's default. Also applies to stored data: with fewer days, older events are permanently deleted within minutes."
              problem={problems.retention_days}
            />
            <Field
              label="Events per day"
              name="events_per_day"
              inputMode="numeric"
              defaultValue={events_per_day ?? ""}
              placeholder="no quota"
              hint="Empty for no quota. A day begins at midnight UTC."
              problem={problems.events_per_day}
            />
            <Field
              label="Bytes for analysis inputs"
              name="input_bytes_max"
              inputMode="numeric"
              defaultValue={input_bytes_max ?? ""}
              placeholder={String(limits.organizationInputBytesMax)}
              hint="At least 1,048,576; empty for the service's default. Analyses that don't fit are rejected."
              problem={problems.input_bytes_max}
            />
            <Choices
              label="Users in events"
              name="users"
              options={plainUsers}
              chosen={plain_users ? ["plain"] : []}
              hint="Otherwise hashes are stored, by which users are counted and can't be recognized. Applies to new events."
              problem={problems.plain_users}
            />
          </>
        )}
      </Form>
    </Panel>
  );
}

function Values({ organization }: { readonly organization: Organization }): JSX.Element {
  const { retention_days, events_per_day, input_bytes_max, plain_users } = organization.settings;
  return (
    <Panel title="Settings">
      <dl className={styles.values}>
        <dt>Days to keep telemetry and inputs</dt>
        <dd>{retention_days === null ? "service default" : number.format(retention_days)}</dd>
        <dt>Events per day</dt>
        <dd>{events_per_day === null ? "no quota" : number.format(events_per_day)}</dd>
        <dt>Bytes for analysis inputs</dt>
        <dd>{number.format(input_bytes_max ?? limits.organizationInputBytesMax)}</dd>
        <dt>Users in events</dt>
        <dd>{plain_users ? "stored as sent" : "hashed"}</dd>
      </dl>
    </Panel>
  );
}

/** Exports or deletes all data. */
function TakeOrDelete({ name }: { readonly name: string }): JSX.Element {
  const change = useChange();
  return (
    <Panel
      title="All data"
      note="Telemetry, incidents, reports, and settings, as JSON lines. Credentials are left out."
    >
      <div className={styles.actions}>
        <a href={organizationExportPath} download>
          Export all data
        </a>
        <ConfirmButton
          label="Delete all data"
          of={`of ${name}`}
          title={`Delete all data of ${name}?`}
          action={() => change(deleteOrganizationData(), "All data deleted")}
        >
          <p>
            Telemetry, incidents, reports, API keys, agents, rules, and settings will be deleted. Services and agents
            that use a key will be rejected. Members, how they sign in, and the audit log stay. This can't be undone.
          </p>
        </ConfirmButton>
      </div>
    </Panel>
  );
}
