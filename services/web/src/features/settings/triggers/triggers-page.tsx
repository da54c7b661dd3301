import { useQuery } from "@tanstack/react-query";
import type { AddedAlertSource as Added, AlertSourceKind } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Rows } from "../../../components/rows.tsx";
import { addAlertSource, alertSourcesQuery } from "../api/alert-sources.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { AddedAlertSource } from "./added-alert-source.tsx";
import { AlertSourceForm } from "./alert-source-form.tsx";
import { kindNamed } from "./alert-source-inputs.ts";
import { AlertSourceRow } from "./alert-source-row.tsx";

/** The senders of webhooks whose alerts are investigated. */
export function TriggersPage(): JSX.Element {
  const { isOwner } = useViewer();
  const sources = useQuery(alertSourcesQuery);
  return (
    <SettingsPage
      title="Triggers"
      lead="Alerts of other systems, and people who ask in a chat or on an issue, start investigations. Each source has an address that its sender posts webhooks to. An alert about a failure that already has an incident joins that incident."
      owners="can add and remove alert sources"
    >
      {isOwner && sources.data ? <NewSource kinds={sources.data.kinds} /> : null}
      <Panel title="Alert sources">
        <Loaded query={sources} lines={4}>
          {(data) => (
            <Rows
              none={
                isOwner
                  ? "No alert sources yet. Add one, and its alerts are investigated."
                  : "No alert sources yet. Once an owner adds one, its alerts are investigated."
              }
            >
              {data.alert_sources.map((source) => (
                <AlertSourceRow key={source.id} source={source} kind={kindNamed(data.kinds, source.kind)} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Panel>
    </SettingsPage>
  );
}

function NewSource({ kinds }: { readonly kinds: readonly AlertSourceKind[] }): JSX.Element {
  const change = useChange();
  const [isOpen, setIsOpen] = useState(false);
  const [added, setAdded] = useState<Added | null>(null);
  if (added) {
    return <AddedAlertSource added={added} kind={kindNamed(kinds, added.kind)} onDone={() => setAdded(null)} />;
  }
  return (
    <>
      <div>
        <Button look={isOpen ? "plain" : "main"} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Close" : "Add source"}
        </Button>
      </div>
      {isOpen ? (
        <Panel title="New source">
          <AlertSourceForm
            kinds={kinds}
            submit={async (source) => {
              setAdded(await change(addAlertSource(source), `${source.name} added`));
              setIsOpen(false);
            }}
          />
        </Panel>
      ) : null}
    </>
  );
}
