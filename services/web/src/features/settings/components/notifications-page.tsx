import { useQuery } from "@tanstack/react-query";
import { limits, type NotificationRuleAnswer } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Rows } from "../../../components/rows.tsx";
import { createRule, notificationRulesQuery } from "../api/notification-rules.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { NotificationRuleForm } from "./notification-rule-form.tsx";
import { NotificationRuleRow } from "./notification-rule-row.tsx";
import styles from "./settings-page.module.css";
import { SettingsPage } from "./settings-page.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";

/** Who is told of incidents. */
export function NotificationsPage(): JSX.Element {
  const { isOwner } = useViewer();
  const rules = useQuery(notificationRulesQuery);
  const [told, setTold] = useState<NotificationRuleAnswer | null>(null);
  // A secret that nobody has copied yet stays in view when something else is changed.
  const onAnswer = (answer: NotificationRuleAnswer): void => {
    if (answer.webhook_secret !== null) setTold(answer);
  };
  return (
    <SettingsPage
      title="Notifications"
      lead="Who is told of an incident, and how: by mail, or by a signed message to a webhook. Each rule tells an incident once."
      owners="write and test the rules"
    >
      <WebhookSecret answer={told} onDone={() => setTold(null)} />
      <Loaded query={rules} lines={6}>
        {({ rules: all, mail }) => (
          <>
            {mail === "log" ? (
              <p className={styles.notice}>
                No mail server is configured: mails reach nobody, and are written to the service's log. Whoever runs the
                service sets WHENCE_SMTP_URL.
              </p>
            ) : null}
            {isOwner && all.length < limits.notificationRulesMax ? <NewRule onAnswer={onAnswer} /> : null}
            <Panel title="Rules">
              <Rows none="There is no rule: nobody is told of incidents.">
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
          {isOpen ? "Close" : "Add a rule"}
        </Button>
      </div>
      {isOpen ? (
        <Panel title="A new rule">
          <NotificationRuleForm
            rule={null}
            submit={async (rule) => {
              onAnswer(await change(createRule(rule), "The rule is made"));
              setIsOpen(false);
            }}
          />
        </Panel>
      ) : null}
    </>
  );
}
