import { useQuery } from "@tanstack/react-query";
import { limits, type NotificationRuleAnswer } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Rows } from "../../../components/rows.tsx";
import { createRule, notificationRulesQuery } from "../api/notification-rules.ts";
import styles from "../components/settings-page.module.css";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { NotificationRuleForm } from "./notification-rule-form.tsx";
import { NotificationRuleRow } from "./notification-rule-row.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";

/** The notification rules. */
export function NotificationsPage(): JSX.Element {
  const { isOwner } = useViewer();
  const rules = useQuery(notificationRulesQuery);
  const [withSecret, setWithSecret] = useState<NotificationRuleAnswer | null>(null);
  // A secret that may not have been copied yet stays visible while other rules change.
  const onAnswer = (answer: NotificationRuleAnswer): void => {
    if (answer.webhook_secret !== null) setWithSecret(answer);
  };
  return (
    <SettingsPage
      title="Notifications"
      lead="Rules notify people by email, in Slack or Microsoft Teams, through PagerDuty or Opsgenie, or through a signed webhook. Each rule announces an incident once."
      owners="can edit and test the rules"
    >
      <WebhookSecret answer={withSecret} onDone={() => setWithSecret(null)} />
      <Loaded query={rules} lines={6}>
        {({ rules: all, mail }) => (
          <>
            {mail === "log" ? (
              <p className={styles.notice}>
                No mail server is configured, so emails are only written to the service's log. To send them, set
                WHENCE_SMTP_URL.
              </p>
            ) : null}
            {isOwner && all.length < limits.notificationRulesMax ? <NewRule onAnswer={onAnswer} /> : null}
            <Panel title="Rules">
              <Rows none="No rules yet. Add one to be notified of incidents.">
                {all.map((rule) => (
                  <NotificationRuleRow key={rule.id} rule={rule} onAnswer={onAnswer} />
                ))}
              </Rows>
            </Panel>
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function NewRule({ onAnswer }: { readonly onAnswer: (answer: NotificationRuleAnswer) => void }): JSX.Element {
  const change = useChange();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <div>
        <Button look={isOpen ? "plain" : "main"} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Close" : "Add rule"}
        </Button>
      </div>
      {isOpen ? (
        <Panel title="New rule">
          <NotificationRuleForm
            rule={null}
            submit={async (rule) => {
              onAnswer(await change(createRule(rule), "Rule created"));
              setIsOpen(false);
            }}
          />
        </Panel>
      ) : null}
    </>
  );
}
