import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { paths } from "../../../config/paths.ts";
import { localPath } from "../../../lib/local-path.ts";
import { acceptInvitation } from "../api/account.ts";
import { sessionQuery } from "../api/get-session.ts";

/** The page to open after signing in, and what to do first: accept an invitation or claim an agent. */
export interface Intent {
  readonly next?: string | undefined;
  readonly claim?: string | undefined;
  readonly invitation?: string | undefined;
}

/** Continues after a session has started: accepts the invitation, claims the agent, or opens the page. */
export function useEntering({ next, claim, invitation }: Intent): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    if (invitation !== undefined) await acceptInvitation(invitation);
    // Drops the data of the previous session. The session's query has observers, so it is fetched again instead.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (claim === undefined) router.history.replace(localPath(next));
    else await router.navigate({ to: paths.login, search: { claim } });
  };
}
