import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { toasts } from "../../components/toasts.tsx";

/** Waits for a change, confirms it, and then waits until the settings on the page are refetched. */
export async function confirmedChange<Answer>(
  change: Promise<Answer>,
  confirm: () => void,
  queryClient: Pick<QueryClient, "invalidateQueries">,
): Promise<Answer> {
  const answer = await change;
  // Before the refetch, which may take long and says nothing about the change.
  confirm();
  await queryClient.invalidateQueries({ queryKey: ["settings"] });
  return answer;
}

/** Waits for a change, confirms it in a toast, and refreshes the settings. */
export function useChange(): <Answer>(change: Promise<Answer>, said: string) => Promise<Answer> {
  const queryClient = useQueryClient();
  return (change, said) => confirmedChange(change, () => toasts.add({ title: said }), queryClient);
}
