import type { NotificationRuleAnswer } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import styles from "../components/settings-page.module.css";

export interface WebhookSecretProps {
  /** The response to a change of a rule; nothing is shown when it contains no secret. */
  readonly answer: NotificationRuleAnswer | null;
  readonly onDone: () => void;
}

/** The secret of a webhook, shown only once. Scrolls into view, because the button may be far down the page. */
export function WebhookSecret({ answer, onDone }: WebhookSecretProps): JSX.Element | null {
  if (answer === null || answer.webhook_secret === null) return null;
  return (
    <div className={styles.notice} role="status" ref={(notice) => notice?.scrollIntoView({ block: "center" })}>
      <p>
        Messages from <strong>{answer.rule.name}</strong> to its webhook are signed with this secret. Copy it to the
        receiver now; it won't be shown again.
      </p>
      <CopyField label="Webhook secret" value={answer.webhook_secret} />
      <div>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
