import type { UseMutationResult } from "@tanstack/react-query";
import type { Incident, OwnerAction, OwnerChange } from "@whence/protocol";
import { changeOwner } from "../api/change-incident.ts";
import { useChange } from "../use-change.ts";

const done: Readonly<Record<OwnerAction, string>> = {
  take: "You own this incident",
  "hand-over": "Incident handed over",
  "let-go": "Incident let go",
  acknowledge: "Incident acknowledged",
};

/** Changes who takes care of an incident. */
export function useOwnerChange(id: string): UseMutationResult<Incident, Error, OwnerChange> {
  return useChange<OwnerChange>(id, { send: changeOwner, said: ({ action }) => done[action] });
}
