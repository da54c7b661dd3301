import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { JSX } from "react";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { paths } from "../../../config/paths.ts";
import { deleteIncident } from "../api/change-incident.ts";
import { incidentQuery } from "../api/get-incident.ts";

interface DeleteIncidentProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks before an incident is deleted. */
export default function DeleteIncident({ id, onClose }: DeleteIncidentProps): JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await deleteIncident(id);
    await navigate({ to: paths.incidents });
    queryClient.removeQueries(incidentQuery(id));
    await queryClient.resetQueries({ queryKey: ["incidents"] });
    toasts.add({ title: "Incident deleted" });
  };
  return (
    <ConfirmDialog label="Delete" title="Delete this incident?" action={remove} onClose={onClose}>
      <p>
        Its report, its evidence, and the text and files it started from will be deleted. If the failure continues, it
        opens a new incident. This can't be undone.
      </p>
    </ConfirmDialog>
  );
}
