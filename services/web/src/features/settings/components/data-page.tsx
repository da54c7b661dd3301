import { useQuery } from "@tanstack/react-query";
import { type Organization, organizationChangeSchema } from "@whence/protocol";
import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { changeOrganization, organizationQuery } from "../api/organization.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import styles from "./data-page.module.css";
import { SettingsPage } from "./settings-page.tsx";

const number = new Intl.NumberFormat();
const settingsSchema = organizationChangeSchema.shape.settings;

/** How long events are kept, and how many are taken. */
export function DataPage(): JSX.Element {
  const { isOwner } = useViewer();
  const organization = useQuery(organizationQuery);
  return (
    <SettingsPage
      title="Retention and quota"
      lead="How long the events of services are kept, and how many are taken in a day. Incidents and their reports stay."
      owners="decide both"
    >
      <Loaded query={organization} lines={6}>
        {(data) => (
          <>
            <Usage organization={data} />
            {isOwner ? <Settings organization={data} /> : <Values organization={data} />}
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
    <Panel title="Today" note={`${usage.day}, in UTC. Beyond the quota batches are refused until the next day.`}>
      <p className={styles.usage}>
        <strong>{number.format(usage.events)}</strong>
        {quota === null ? " events taken; there is no quota" : ` of ${number.format(quota)} events taken`}
      </p>
      {quota === null ? null : (
        <progress
          className={styles.bar}
          max={quota}
          value={Math.min(usage.events, quota)}
          aria-label="Used of the quota"
        />
      )}
    </Panel>
  );
}

function Settings({ organization }: { readonly organization: Organization }): JSX.Element {
  const change = useChange();
  const { retention_days, events_per_day } = organization.settings;
  return (
    <Panel title="What you decide">
      <Form
        action="Save"
        noValidate
        submit={async ({ retention_days = "", events_per_day = "" }) => {
          const entered = {
            retention_days: numberOrNull(retention_days),
            events_per_day: numberOrNull(events_per_day),
          };
          await change(changeOrganization(checkFields(settingsSchema, entered)), "Saved");
        }}
      >
        {(problems) => (
          <>
            <Field
              label="Days that events are kept"
              name="retention_days"
              inputMode="numeric"
              defaultValue={retention_days ?? ""}
              placeholder="as the service has it"
              hint="1 to 3,650; empty for the service's default. It holds for what is stored already too: fewer days delete the older events for good, within minutes."
              problem={problems.retention_days}
            />
            <Field
              label="Events a day"
              name="events_per_day"
              inputMode="numeric"
              defaultValue={events_per_day ?? ""}
              placeholder="no quota"
              hint="Empty for any number. A day begins at midnight UTC."
              problem={problems.events_per_day}
            />
          </>
        )}
      </Form>
    </Panel>
  );
}

/** Text that is no number stays one, and is refused as such. */
function numberOrNull(text: string): number | string | null {
  const entered = text.trim();
  return entered === "" ? null : /^\d+$/.test(entered) ? Number(entered) : entered;
}

function Values({ organization }: { readonly organization: Organization }): JSX.Element {
  const { retention_days, events_per_day } = organization.settings;
  return (
    <Panel title="What the owners decided">
      <dl className={styles.values}>
        <dt>Days that events are kept</dt>
        <dd>{retention_days === null ? "as the service has it" : number.format(retention_days)}</dd>
        <dt>Events a day</dt>
        <dd>{events_per_day === null ? "any number" : number.format(events_per_day)}</dd>
      </dl>
    </Panel>
  );
}
