import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import { toasts } from "../../components/toasts.tsx";
import { incidentQuery } from "./api/get-incident.ts";

interface ChangeOptions<Change> {
  readonly send: (id: string, change: Change) => Promise<Incident>;
  /** What a notice says once it is done. */
  readonly said: (change: Change) => string;
}

/** A change of an incident, which shows on its page at once and in lists soon. */
export function useChange<Change>(
  id: string,
  { send, said }: ChangeOptions<Change>,
): UseMutationResult<Incident, Error, Change> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => send(id, change),
    onSuccess: (changed, change) => {
      queryClient.setQueryData(incidentQuery(id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ["incidents"] });
      toasts.add({ title: said(change) });
    },
    onError: (error) => toasts.add({ title: "The incident didn't change", description: error.message }),
  });
}
