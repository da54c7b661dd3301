import { Link } from "@tanstack/react-router";
import type { PlaceWatch } from "@whence/protocol";
import type { JSX } from "react";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { sentenceTime } from "../../../lib/times.ts";

/** What running programs are asked to watch now, with the incident for which it is. */
export function ServiceWatches({ watches }: { readonly watches: readonly PlaceWatch[] }): JSX.Element {
  return (
    <Panel title="Watched places">
      <Rows none="Nothing is watched">
        {watches.map(({ id, incident_id: incident, ...watch }) => (
          <Row
            key={id}
            title={
              <Link to={paths.incident} params={{ id: incident }}>
                {watch.service} {watch.release}
              </Link>
            }
            facts={[
              watch.env,
              `${watch.places.length} ${watch.places.length === 1 ? "place" : "places"}`,
              processText(watch),
              <>
                started by {watch.created_by} <TimeAgo at={watch.created_at} />
              </>,
              `until ${sentenceTime(watch.expires_at, Date.now())}`,
            ]}
          />
        ))}
      </Rows>
    </Panel>
  );
}

function processText({ process }: Pick<PlaceWatch, "process">): string {
  if (process === null) return "no process has answered yet";
  const said = { armed: "armed", refused: "refused by a process", ended: "ended in a process" }[process.state];
  return process.reason === null ? said : `${said}: ${process.reason}`;
}
