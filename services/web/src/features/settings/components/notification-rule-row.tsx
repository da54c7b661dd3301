import { useMutation } from "@tanstack/react-query";
import { type NotificationRule, type NotificationRuleAnswer, notificationRuleChangeSchema } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row } from "../../../components/rows.tsx";
import { deleteRule, replaceRule, replaceSecret, testRule } from "../api/notification-rules.ts";
import { ruleFacts } from "../notification-names.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { NotificationDeliveries } from "./notification-deliveries.tsx";
import { NotificationRuleForm } from "./notification-rule-form.tsx";
import styles from "./settings-page.module.css";

export interface NotificationRuleRowProps {
  readonly rule: NotificationRule;
  /** Told what was answered to a change: it may hold a secret. */
  readonly onAnswer: (answer: NotificationRuleAnswer) => void;
}

type Part = "messages" | "form";

/** A rule: what it says, what can be done with it, and what became of its messages. */
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
              onAnswer(await change(replaceRule(rule.id, wanted), "The rule is saved"));
              setOpen(null);
            }}
          />
        ) : null}
      </div>
    </Row>
  );
}

/** Off, or in trouble with its latest message. */
function State({ rule: { enabled, last_delivery: last } }: { readonly rule: NotificationRule }): JSX.Element | null {
  if (!enabled) return <Badge tone="low">off</Badge>;
  if (last?.state === "given_up") return <Badge tone="critical">not delivered</Badge>;
  if (last?.state === "waiting" && last.attempts > 0) return <Badge tone="high">trying again</Badge>;
  return null;
}

interface TestProps {
  readonly rule: NotificationRule;
  readonly onSent: () => void;
}

function Test({ rule: { id, name }, onSent }: TestProps): JSX.Element {
  const change = useChange();
  const testing = useMutation({
    mutationFn: () => change(testRule(id), "A test is on its way"),
    onSuccess: onSent,
  });
  return (
    <>
      <Button busy={testing.isPending} aria-label={`Send a test by ${name}`} onClick={() => testing.mutate()}>
        Send a test
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
      return change(replaceRule(rule.id, switched), `The rule is ${wanted}`);
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
      label="New secret"
      of={`for ${rule.name}`}
      title={`Replace the webhook's secret of ${rule.name}?`}
      action={async () => onAnswer(await change(replaceSecret(rule.id), "The secret is replaced"))}
    >
      <p>Messages are signed with the new one from that moment: whoever receives them has to know it.</p>
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
      action={() => change(deleteRule(id), "The rule is deleted")}
    >
      <p>Whom it names is told no more, and what became of its messages is forgotten.</p>
    </ConfirmButton>
  );
}
