import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toasts } from "../../components/toasts.tsx";
import { mergeIncidents, splitOffFailure, unmergeIncident } from "./api/change-incident.ts";

interface Merging {
  /** Merges incidents into one of them, and offers to undo it. */
  merge(into: string, incidents: readonly { readonly id: string }[]): void;
  readonly isPending: boolean;
}

/** Merges several incidents; `onMerged` runs once they are. */
export function useMerge(onMerged: () => void): Merging {
  const refresh = useRefresh();
  const undo = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      // One after the other: each locks the incident that they were merged into.
      for (const id of ids) await unmergeIncident(id);
      return ids.length;
    },
    onSuccess: () => toasts.add({ title: "Merge undone" }),
    onError: (error) => toasts.add({ title: "The merge wasn't undone", description: error.message }),
    onSettled: refresh,
  });
  const { mutate, isPending } = useMutation({
    mutationFn: ({ into, ids }: { into: string; ids: readonly string[] }) => mergeIncidents(into, ids),
    onSuccess: ({ title }, { ids }) => {
      toasts.add({
        title: `${ids.length + 1} incidents merged into one`,
        description: title,
        action: { label: "Undo", run: () => undo.mutate(ids) },
      });
      onMerged();
      refresh();
    },
    onError: (error) => toasts.add({ title: "The incidents weren't merged", description: error.message }),
  });
  return {
    merge: (into, incidents) => mutate({ into, ids: incidents.map(({ id }) => id).filter((id) => id !== into) }),
    isPending,
  };
}

interface Separation {
  /** The incident of its own that it gets back, or null where it gets a new one. */
  readonly mergedFrom: string | null;
  readonly fingerprint: string;
}

/** Takes a failure out of an incident: it gets the incident back with which it was merged, or a new one. */
export function useSplit(incidentId: string): { split(failure: Separation): void; readonly isPending: boolean } {
  const refresh = useRefresh();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ mergedFrom, fingerprint }: Separation) =>
      mergedFrom === null ? splitOffFailure(incidentId, fingerprint) : unmergeIncident(mergedFrom),
    onSuccess: ({ title }) => toasts.add({ title: "It has its own incident", description: title }),
    onError: (error) => toasts.add({ title: "The incident didn't change", description: error.message }),
    onSettled: refresh,
  });
  return { split: mutate, isPending };
}

/** Reads every list and incident again. */
function useRefresh(): () => void {
  const queryClient = useQueryClient();
  return () => {
    // What is loaded of a list has an incident too many, or too few.
    void queryClient.resetQueries({ queryKey: ["incidents"] });
    void queryClient.invalidateQueries({ queryKey: ["incident"] });
  };
}
