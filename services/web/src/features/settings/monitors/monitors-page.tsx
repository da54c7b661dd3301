import { useQuery } from "@tanstack/react-query";
import type { KeyedMonitor } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Rows } from "../../../components/rows.tsx";
import { createMonitor, monitorsQuery } from "../api/monitors.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { CheckInKey } from "./check-in-key.tsx";
import { MonitorForm } from "./monitor-form.tsx";
import { MonitorRow } from "./monitor-row.tsx";

/** What the service checks on its own. */
export function MonitorsPage(): JSX.Element {
  const { isOwner } = useViewer();
  const monitors = useQuery(monitorsQuery);
  const [keyed, setKeyed] = useState<KeyedMonitor | null>(null);
  return (
    <SettingsPage
      title="Monitors"
      lead="Whence checks URLs, measures of your services, and the runs of scheduled jobs. A monitor that fails opens an incident, which is investigated like any other."
      owners="can create and change monitors"
    >
      <CheckInKey keyed={keyed} onDone={() => setKeyed(null)} />
      {isOwner ? <NewMonitor onCreated={setKeyed} /> : null}
      <Panel title="Your monitors">
        <Loaded query={monitors} lines={4}>
          {(data) => (
            <Rows
              none={
                isOwner
                  ? "No monitors yet. Add one, and its checks are shown here."
                  : "No monitors yet. Once an owner adds one, its checks are shown here."
              }
            >
              {data.monitors.map((monitor) => (
                <MonitorRow key={monitor.id} monitor={monitor} onKeyed={setKeyed} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Panel>
    </SettingsPage>
  );
}

function NewMonitor({ onCreated }: { readonly onCreated: (keyed: KeyedMonitor) => void }): JSX.Element {
  const change = useChange();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <div>
        <Button look={isOpen ? "plain" : "main"} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Close" : "Add monitor"}
        </Button>
      </div>
      {isOpen ? (
        <Panel title="New monitor">
          <MonitorForm
            monitor={null}
            submit={async (wanted) => {
              onCreated(await change(createMonitor(wanted), `${wanted.name} created`));
              setIsOpen(false);
            }}
          />
        </Panel>
      ) : null}
    </>
  );
}
