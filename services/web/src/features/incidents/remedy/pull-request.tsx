import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Incident, pullRequestName } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { openPullRequest } from "../api/change-incident.ts";
import { incidentQuery } from "../api/get-incident.ts";

interface PullRequestProps {
  readonly incident: Incident;
  /** Whether a code host is connected, where it can be opened. */
  readonly canOpen: boolean;
}

/** The pull request with an incident's patch, or the button that opens it where a code host is connected. */
export function PullRequestOf({ incident, canOpen }: PullRequestProps): JSX.Element | null {
  const { pull_request: opened } = incident;
  if (opened) return <ExternalLink href={opened.url}>{pullRequestName(opened)}</ExternalLink>;
  return canOpen ? <OpenPullRequest id={incident.id} /> : null;
}

function OpenPullRequest({ id }: { readonly id: string }): JSX.Element {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => openPullRequest(id),
    onSuccess: (changed) => {
      queryClient.setQueryData(incidentQuery(id).queryKey, changed);
      toasts.add({ title: "Draft pull request opened" });
    },
    onError: (error) => toasts.add({ title: "No pull request was opened", description: error.message }),
  });
  return (
    <Button
      icon="external"
      busy={isPending}
      title="Publishes the cause and this diff in the repository"
      onClick={() => mutate()}
    >
      Open draft pull request
    </Button>
  );
}
