import { useMutation } from "@tanstack/react-query";
import { type NotificationRule, type NotificationRuleAnswer, notificationRuleChangeSchema } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row } from "../../../components/rows.tsx";
import { deleteRule, replaceRule, replaceSecret, testRule } from "../api/notification-rules.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { NotificationDeliveries } from "./notification-deliveries.tsx";
import { ruleFacts } from "./notification-names.ts";
import { NotificationRuleForm } from "./notification-rule-form.tsx";

export interface NotificationRuleRowProps {
  readonly rule: NotificationRule;
  /** Receives the response to a change, which may contain a secret. */
  readonly onAnswer: (answer: NotificationRuleAnswer) => void;
}

type Part = "messages" | "form";

/** A rule, with its actions and the history of its messages. */
export function NotificationRuleRow({ rule, onAnswer }: NotificationRuleRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const [open, setOpen] = useState<Part | null>(null);
  const toggle = (part: Part): void => setOpen(open === part ? null : part);
  return (
    <Row
      title={
        <>
          {rule.name}
          <State rule={rule} />
        </>
      }
      facts={[...ruleFacts(rule), rule.held_back > 0 ? `${rule.held_back.toLocaleString()} held back` : null]}
    >
      <div className={styles.stack}>
        <div className={styles.buttons}>
          <Button
            aria-expanded={open === "messages"}
            aria-label={`Messages of ${rule.name}`}
            onClick={() => toggle("messages")}
          >
            Messages
          </Button>
          {isOwner ? (
            <>
              <Test rule={rule} onSent={() => setOpen("messages")} />
              <Switch rule={rule} />
              <Button
                aria-expanded={open === "form"}
                aria-label={`${open === "form" ? "Close" : "Edit"} ${rule.name}`}
                onClick={() => toggle("form")}
              >
                {open === "form" ? "Close" : "Edit"}
              </Button>
              <NewSecret rule={rule} onAnswer={onAnswer} />
              <Delete rule={rule} />
            </>
          ) : null}
        </div>
        {open === "messages" ? <NotificationDeliveries ruleId={rule.id} /> : null}
        {open === "form" ? (
          <NotificationRuleForm
            rule={rule}
            submit={async (wanted) => {
              onAnswer(await change(replaceRule(rule.id, wanted), "Rule saved"));
              setOpen(null);
            }}
          />
        ) : null}
      </div>
    </Row>
  );
}

/** Whether the rule is off, or failed to deliver its latest message. */
function State({ rule: { enabled, last_delivery: last } }: { readonly rule: NotificationRule }): JSX.Element | null {
  if (!enabled) return <Badge tone="low">off</Badge>;
  if (last?.state === "given_up") return <Badge tone="critical">not delivered</Badge>;
  if (last?.state === "waiting" && last.attempts > 0) return <Badge tone="high">retrying</Badge>;
  return null;
}

interface TestProps {
  readonly rule: NotificationRule;
  readonly onSent: () => void;
}

function Test({ rule: { id, name }, onSent }: TestProps): JSX.Element {
  const change = useChange();
  const testing = useMutation({
    mutationFn: () => change(testRule(id), "Test sent"),
    onSuccess: onSent,
  });
  return (
    <>
      <Button busy={testing.isPending} aria-label={`Send test with ${name}`} onClick={() => testing.mutate()}>
        Send test
      </Button>
      {testing.error ? <Problem error={testing.error} /> : null}
    </>
  );
}

function Switch({ rule }: { readonly rule: NotificationRule }): JSX.Element {
  const change = useChange();
  const wanted = rule.enabled ? "off" : "on";
  const switching = useMutation({
    mutationFn: () => {
      const switched = notificationRuleChangeSchema.parse({ ...rule, enabled: !rule.enabled });
      return change(replaceRule(rule.id, switched), `Rule turned ${wanted}`);
    },
  });
  return (
    <>
      <Button busy={switching.isPending} aria-label={`Turn ${wanted} ${rule.name}`} onClick={() => switching.mutate()}>
        Turn {wanted}
      </Button>
      {switching.error ? <Problem error={switching.error} /> : null}
    </>
  );
}

function NewSecret({ rule, onAnswer }: NotificationRuleRowProps): JSX.Element | null {
  const change = useChange();
  if (rule.webhook_url === null) return null;
  return (
    <ConfirmButton
      label="Replace secret"
      of={`for ${rule.name}`}
      title={`Replace the webhook secret of ${rule.name}?`}
      action={async () => onAnswer(await change(replaceSecret(rule.id), "Secret replaced"))}
    >
      <p>Messages are signed with the new secret at once. The receiver rejects them until it has it.</p>
    </ConfirmButton>
  );
}

function Delete({ rule: { id, name } }: { readonly rule: NotificationRule }): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Delete"
      of={name}
      title={`Delete the rule ${name}?`}
      action={() => change(deleteRule(id), "Rule deleted")}
    >
      <p>Its recipients won't be notified, and its message history will be deleted. This can't be undone.</p>
    </ConfirmButton>
  );
}
