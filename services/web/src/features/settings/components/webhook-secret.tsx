import type { NotificationRuleAnswer } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import styles from "./settings-page.module.css";

export interface WebhookSecretProps {
  /** To a change of a rule; nothing is shown when it tells no secret. */
  readonly answer: NotificationRuleAnswer | null;
  readonly onDone: () => void;
}

/** The secret of a webhook, the only time that it is told. Comes into view, wherever on the page it was asked for. */
export function WebhookSecret({ answer, onDone }: WebhookSecretProps): JSX.Element | null {
  if (answer === null || answer.webhook_secret === null) return null;
  return (
    <div className={styles.notice} role="status" ref={(notice) => notice?.scrollIntoView({ block: "center" })}>
      <p>
        The messages of <strong>{answer.rule.name}</strong> to its webhook are signed with this secret. It is shown this
        once: copy it to where they are received.
      </p>
      <CopyField label="The webhook's secret" value={answer.webhook_secret} />
      <div>
        <Button onClick={onDone}>I have it</Button>
      </div>
    </div>
  );
}
