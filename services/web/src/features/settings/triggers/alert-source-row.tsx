import { type AlertSource, type AlertSourceKind, enteredAlertSourceInputs, installationInput } from "@whence/protocol";
import { type JSX, type ReactNode, useState } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import { Row } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { removeAlertSource, replaceAlertSourceSecret, setAlertSourceAudience } from "../api/alert-sources.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { AlertSourceAlerts } from "./alert-source-alerts.tsx";
import { AlertSourceConversations } from "./alert-source-conversations.tsx";
import { madeSecretLabel } from "./alert-source-inputs.ts";
import { AlertSourceSetup } from "./alert-source-setup.tsx";
import { type AlertSourceState, alertSourceState } from "./alert-source-state.ts";

type Part = "alerts" | "conversations" | "setup";

const tones: Readonly<Record<AlertSourceState, Tone>> = {
  unfinished: "high",
  waiting: "low",
  receiving: "good",
  failing: "critical",
};

export interface AlertSourceRowProps {
  readonly source: AlertSource;
  readonly kind: AlertSourceKind;
}

/** A source: whether its webhooks arrive, its alerts and conversations, and how to set up its sender. */
export function AlertSourceRow({ source, kind }: AlertSourceRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const [open, setOpen] = useState<Part | null>(null);
  const { id, name } = source;
  const state = alertSourceState(source);
  return (
    <Row
      title={
        <>
          {name}
          <Badge tone={tones[state]}>{state}</Badge>
        </>
      }
      facts={factsOf(source, kind)}
    >
      <div className={styles.stack}>
        <div className={styles.buttons}>
          <Toggle part="alerts" label="Alerts" of={name} open={open} setOpen={setOpen} />
          {source.has_conversations ? (
            <Toggle part="conversations" label="Conversations" of={name} open={open} setOpen={setOpen} />
          ) : null}
          <Toggle part="setup" label="Setup" of={name} open={open} setOpen={setOpen} />
          {isOwner && source.has_conversations ? <Audience source={source} /> : null}
          {isOwner ? <Remove source={source} /> : null}
        </div>
        {open === "alerts" ? <AlertSourceAlerts sourceId={id} /> : null}
        {open === "conversations" ? <AlertSourceConversations sourceId={id} /> : null}
        {open === "setup" ? (
          <AlertSourceSetup source={source} kind={kind} onDone={() => setOpen(null)}>
            {isOwner && madeSecretLabel(kind) !== null ? <MadeSecret source={source} kind={kind} /> : null}
          </AlertSourceSetup>
        ) : null}
      </div>
    </Row>
  );
}

function factsOf(
  {
    name,
    inputs,
    missing,
    received_at: received,
    alerts,
    withheld,
    failed,
    answers_publicly: answersPublicly,
  }: AlertSource,
  kind: AlertSourceKind,
): ReactNode[] {
  const { label } = kind;
  return [
    name === label ? null : label,
    ...(installationInput in inputs
      ? ["installed application"]
      : enteredAlertSourceInputs(kind).flatMap((input) => inputs[input.name] ?? [])),
    missing.length > 0 ? "enter its secret under Setup: until then its webhooks are refused" : null,
    received === null ? (
      "nothing received yet"
    ) : (
      <>
        last received <TimeAgo at={received} />
      </>
    ),
    `${alerts.toLocaleString()} ${alerts === 1 ? "alert" : "alerts"}`,
    answersPublicly ? "also answers where people from outside read" : null,
    withheld === 0 ? null : `${withheld.toLocaleString()} over the hourly limit`,
    failed === null ? null : (
      <>
        last failure <TimeAgo at={failed.at} />: {failed.reason}
      </>
    ),
  ];
}

interface ToggleProps {
  readonly part: Part;
  readonly label: string;
  readonly of: string;
  readonly open: Part | null;
  readonly setOpen: (part: Part | null) => void;
}

function Toggle({ part, label, of, open, setOpen }: ToggleProps): JSX.Element {
  const isOpen = open === part;
  return (
    <Button aria-expanded={isOpen} aria-label={`${label} of ${of}`} onClick={() => setOpen(isOpen ? null : part)}>
      {label}
    </Button>
  );
}

/** The secret that the service made, which can only be replaced. */
function MadeSecret({ source: { id, name }, kind }: AlertSourceRowProps): JSX.Element {
  const change = useChange();
  const [secret, setSecret] = useState<string | null>(null);
  const label = madeSecretLabel(kind);
  return (
    <>
      {secret === null || label === null ? (
        <p className={styles.soft}>The secret was shown when it was made. If you don't have it, replace it.</p>
      ) : (
        <div role="status">
          <p className={styles.soft}>Copy the new secret to the sender now; it won't be shown again.</p>
          <CopyField label={label} value={secret} />
        </div>
      )}
      <div>
        <ConfirmButton
          label="Replace secret"
          of={`of ${name}`}
          title={`Replace the secret of ${name}?`}
          action={async () => setSecret((await change(replaceAlertSourceSecret(id), "Secret replaced")).secret)}
        >
          <p>Webhooks with the old secret will be rejected at once, until the sender has the new one.</p>
        </ConfirmButton>
      </div>
    </>
  );
}

/**
 * Opening a source asks for confirmation, because strangers can then read answers; closing it does too, because members
 * get no answers there.
 */
function Audience({ source: { id, name, answers_publicly: isOpen } }: { readonly source: AlertSource }): JSX.Element {
  const change = useChange();
  const done = isOpen ? `${name} answers in private only` : `${name} also answers in public`;
  return (
    <ConfirmButton
      label={isOpen ? "Answer in private only" : "Answer in public too"}
      of={name}
      title={isOpen ? `Have ${name} answer in private only?` : `Have ${name} answer in public too?`}
      action={() => change(setAlertSourceAudience(id, !isOpen), done)}
    >
      <p>
        {isOpen
          ? "The bot will no longer answer in public projects and in shared channels. What it posted there stays."
          : "The bot will also answer in public and internal projects, in channels that are shared with other organizations, and in synced threads. Everyone who reads there will see causes, hosts, URLs, and lines of your code. Only members can ask."}
      </p>
    </ConfirmButton>
  );
}

function Remove({ source: { id, name } }: { readonly source: AlertSource }): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Remove"
      of={name}
      title={`Remove ${name}?`}
      action={() => change(removeAlertSource(id), `${name} removed`)}
    >
      <p>
        Its webhooks will be rejected, and its secrets and its lists of alerts and conversations will be deleted. Its
        incidents stay. This can't be undone.
      </p>
    </ConfirmButton>
  );
}
