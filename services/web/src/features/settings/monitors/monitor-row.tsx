import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyedMonitor, Monitor } from "@whence/protocol";
import { type JSX, type ReactNode, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import {
  deleteMonitor,
  pauseMonitor,
  replaceCheckInKey,
  replaceMonitor,
  resumeMonitor,
  testMonitor,
} from "../api/monitors.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { MonitorForm } from "./monitor-form.tsx";
import { checkFacts, stateTones } from "./monitor-names.ts";
import { MonitorResultRow, MonitorResults } from "./monitor-results.tsx";

export interface MonitorRowProps {
  readonly monitor: Monitor;
  /** Receives the response to a new key. */
  readonly onKeyed: (keyed: KeyedMonitor) => void;
}

type Part = "checks" | "form";

/** A monitor: its state, its latest checks, and its actions. */
export function MonitorRow({ monitor, onKeyed }: MonitorRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const [open, setOpen] = useState<Part | null>(null);
  const toggle = (part: Part): void => setOpen(open === part ? null : part);
  const { id, name, state, check } = monitor;
  return (
    <Row
      title={
        <>
          {name}
          <Badge tone={stateTones[state]}>{state}</Badge>
        </>
      }
      facts={factsOf(monitor)}
    >
      <div className={styles.stack}>
        <div className={styles.buttons}>
          <Button aria-expanded={open === "checks"} aria-label={`Checks of ${name}`} onClick={() => toggle("checks")}>
            Checks
          </Button>
          {isOwner ? (
            <>
              <Switch monitor={monitor} />
              <Button
                aria-expanded={open === "form"}
                aria-label={`${open === "form" ? "Close" : "Edit"} ${name}`}
                onClick={() => toggle("form")}
              >
                {open === "form" ? "Close" : "Edit"}
              </Button>
              {check.kind === "check-in" ? <NewKey monitor={monitor} onKeyed={onKeyed} /> : null}
              <Delete monitor={monitor} />
              {check.kind === "check-in" ? null : <Test monitor={monitor} />}
            </>
          ) : null}
        </div>
        {open === "checks" ? <MonitorResults monitorId={id} /> : null}
        {open === "form" ? (
          <MonitorForm
            monitor={monitor}
            submit={async (wanted) => {
              await change(replaceMonitor(id, wanted), `${wanted.name} saved`);
              setOpen(null);
            }}
          />
        ) : null}
      </div>
    </Row>
  );
}

function factsOf(monitor: Monitor): ReactNode[] {
  const { check, service, env, last_result: last, failing_since: since, withheld, incident_id: incidentId } = monitor;
  const expected = monitor.state === "paused" ? null : (monitor.check_in?.expected_at ?? null);
  return [
    ...checkFacts(check),
    [service, env].filter((one) => one !== null).join(", "),
    last === null ? (
      "not checked yet"
    ) : (
      <>
        {last.reason} <TimeAgo at={last.at} />
      </>
    ),
    since === null ? null : (
      <>
        failing since <TimeAgo at={since} />
      </>
    ),
    expected === null ? null : (
      <>
        next run due <TimeAgo at={expected} />
      </>
    ),
    withheld,
    incidentId === null ? null : (
      <Link to={paths.incident} params={{ id: incidentId }}>
        Latest incident
      </Link>
    ),
  ];
}

function Switch({ monitor: { id, name, state } }: { readonly monitor: Monitor }): JSX.Element {
  const change = useChange();
  const isPaused = state === "paused";
  const switching = useMutation({
    mutationFn: () =>
      isPaused ? change(resumeMonitor(id), `${name} resumed`) : change(pauseMonitor(id), `${name} paused`),
  });
  const label = isPaused ? "Resume" : "Pause";
  return (
    <>
      <Button busy={switching.isPending} aria-label={`${label} ${name}`} onClick={() => switching.mutate()}>
        {label}
      </Button>
      {switching.error ? <Problem error={switching.error} /> : null}
    </>
  );
}

function Test({ monitor: { id, name } }: { readonly monitor: Monitor }): JSX.Element {
  const testing = useMutation({ mutationFn: () => testMonitor(id) });
  return (
    <>
      <Button busy={testing.isPending} aria-label={`Test ${name}`} onClick={() => testing.mutate()}>
        Test
      </Button>
      {testing.error ? <Problem error={testing.error} /> : null}
      {testing.data ? (
        <div role="status">
          <Rows none="">{[<MonitorResultRow key="tested" result={testing.data} />]}</Rows>
        </div>
      ) : null}
    </>
  );
}

function NewKey({ monitor: { id, name }, onKeyed }: MonitorRowProps): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Replace key"
      of={`of ${name}`}
      title={`Replace the check-in key of ${name}?`}
      action={async () => onKeyed(await change(replaceCheckInKey(id), "Key replaced"))}
    >
      <p>Check-ins with the old key will be rejected at once, and the job's next run will count as missed.</p>
    </ConfirmButton>
  );
}

function Delete({ monitor: { id, name } }: { readonly monitor: Monitor }): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Delete"
      of={name}
      title={`Delete the monitor ${name}?`}
      action={() => change(deleteMonitor(id), `${name} deleted`)}
    >
      <p>Its checks end and its results are deleted. Its incidents stay. This can't be undone.</p>
    </ConfirmButton>
  );
}
