import { Link } from "@tanstack/react-router";
import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { paths } from "../../../config/paths.ts";
import { unmergeIncident } from "../api/change-incident.ts";
import { useChange } from "../use-change.ts";

interface MergedNoteProps {
  readonly incident: Incident;
  readonly into: string;
}

/** The incident that this one was merged into, with a button that undoes a merge by a person. */
export function MergedNote({ incident: { id, activity = [] }, into }: MergedNoteProps): JSX.Element {
  const { mutate, isPending } = useChange<void>(id, {
    send: unmergeIncident,
    said: () => "The incident is on its own again",
  });
  // The newest comes first, and people may comment on it since.
  const last = activity.find(({ kind }) => kind === "merged-into" || kind === "unmerged");
  return (
    <p role="status">
      This failure is part of{" "}
      <Link to={paths.incident} params={{ id: into }}>
        another incident
      </Link>
      , which has the current report.{" "}
      {last?.kind === "merged-into" ? (
        <Button busy={isPending} onClick={() => mutate()}>
          Split off again
        </Button>
      ) : null}
    </p>
  );
}
