import type { ProcessState, ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";

const states: Readonly<Record<ProcessState, { readonly name: string; readonly tone: Tone }>> = {
  live: { name: "Live", tone: "good" },
  "shut-down": { name: "Shut down", tone: "low" },
  crashed: { name: "Crashed", tone: "high" },
  silent: { name: "Stopped reporting", tone: "medium" },
};

/** How much of an instance's random id tells it from its neighbors. */
const idShown = 8;

/** The processes of the span, and which of them are live. */
export function ServiceProcesses({ detail }: { readonly detail: ServiceDetail }): JSX.Element {
  const { processes, has_more_processes: hasMore } = detail;
  return (
    <Panel title="Processes" note={hasMore ? `The ${processes.length} most recently seen` : undefined}>
      <Rows none="No process reported in this time">
        {processes.map(({ instance, host, release, state, started_at, last_seen_at }) => (
          <Row
            key={instance}
            isPast={state !== "live"}
            title={
              <>
                <Badge tone={states[state].tone}>{states[state].name}</Badge>
                {host}
              </>
            }
            facts={[
              release,
              <span key="id" title={instance}>
                {instance.slice(0, idShown)}
              </span>,
              <>
                started <TimeAgo at={started_at} />
              </>,
              <>
                last seen <TimeAgo at={last_seen_at} />
              </>,
            ]}
          />
        ))}
      </Rows>
    </Panel>
  );
}
