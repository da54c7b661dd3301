import { type CredentialChannel, type NotificationRuleChoice, sendsTo } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Choices } from "../../../components/choices.tsx";
import { Field } from "../../../components/field.tsx";
import { Select } from "../../../components/select.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import styles from "../components/settings-page.module.css";
import { channelOptions, regionOptions, siteOptions } from "./notification-names.ts";

export interface ChannelFieldsProps {
  readonly rule: NotificationRuleChoice;
  readonly problems: FieldProblems;
}

/** The channels of a rule other than email, and the fields of each. */
export function ChannelFields({ rule, problems }: ChannelFieldsProps): JSX.Element {
  const before = channelOptions.map(({ value }) => value).filter((channel) => sendsTo(channel, rule));
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const isStored = (channel: CredentialChannel): boolean => sendsTo(channel, rule);
  return (
    <>
      <Choices
        label="Also send to"
        name="channels"
        options={channelOptions}
        chosen={before}
        onChoice={(value, isChosen) =>
          setChosen([...chosen.filter((one) => one !== value), ...(isChosen ? [value] : [])])
        }
      />
      {chosen.includes("slack") ? (
        <Credential
          label="Slack channel ID or webhook URL"
          name="slack_target"
          placeholder="C0123456789"
          hint="With an ID, your Slack app posts in the channel, with buttons. A webhook's messages have none."
          isStored={isStored("slack")}
          problem={problems.slack_target}
        />
      ) : null}
      {chosen.includes("teams") ? (
        <Credential
          label="Microsoft Teams webhook URL"
          name="teams_url"
          placeholder="https://"
          hint="From the Workflows app: Send webhook alerts to a channel."
          isStored={isStored("teams")}
          problem={problems.teams_url}
        />
      ) : null}
      {chosen.includes("pagerduty") ? (
        <div className={styles.pair}>
          <Credential
            label="PagerDuty integration key"
            name="pagerduty_key"
            hint="From an Events API v2 integration of a service. A test opens an alert there."
            isStored={isStored("pagerduty")}
            problem={problems.pagerduty_key}
          />
          <Select
            label="PagerDuty service region"
            name="pagerduty"
            options={regionOptions}
            defaultValue={rule.pagerduty ?? "us"}
          />
        </div>
      ) : null}
      {chosen.includes("opsgenie") ? (
        <div className={styles.pair}>
          <Credential
            label="Opsgenie API key"
            name="opsgenie_key"
            hint="From an API integration. A test opens an alert there."
            isStored={isStored("opsgenie")}
            problem={problems.opsgenie_key}
          />
          <Select label="Opsgenie account" name="opsgenie" options={siteOptions} defaultValue={rule.opsgenie ?? "us"} />
        </div>
      ) : null}
      {chosen.includes("webhook") ? (
        <Field
          label="Webhook URL"
          name="webhook_url"
          type="url"
          defaultValue={rule.webhook_url ?? ""}
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          hint="Receives signed JSON messages. Needs a public HTTPS address."
          problem={problems.webhook_url}
        />
      ) : null}
    </>
  );
}

interface CredentialProps {
  readonly label: string;
  readonly name: string;
  readonly hint: string;
  readonly placeholder?: string;
  readonly isStored: boolean;
  readonly problem: string | undefined;
}

/** A secret, which is never shown again; an empty field keeps the stored one. */
function Credential({ hint, placeholder, isStored, ...field }: CredentialProps): JSX.Element {
  return (
    <Field
      {...field}
      type="password"
      autoComplete="new-password"
      spellCheck={false}
      placeholder={isStored ? "Stored" : placeholder}
      hint={isStored ? `${hint} Leave it empty to keep the stored one.` : hint}
    />
  );
}
