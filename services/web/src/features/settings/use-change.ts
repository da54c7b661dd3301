import { useQueryClient } from "@tanstack/react-query";
import { toasts } from "../../components/toasts.tsx";

/** Waits for a change, refreshes the settings, and confirms the change in a toast. */
export function useChange(): <Answer>(change: Promise<Answer>, said: string) => Promise<Answer> {
  const queryClient = useQueryClient();
  return async (change, said) => {
    const answer = await change;
    await queryClient.invalidateQueries({ queryKey: ["settings"] });
    toasts.add({ title: said });
    return answer;
  };
}
