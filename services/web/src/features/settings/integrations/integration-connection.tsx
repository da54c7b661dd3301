import { useMutation, useQueryClient } from "@tanstack/react-query";
import { connectionTitle, type Integration } from "@whence/protocol";
import type { JSX, ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { verify } from "../api/integrations.ts";
import { useViewer } from "../viewer.ts";
import styles from "./integration-connection.module.css";
import { isFailing } from "./integration-state.ts";
import { Repositories } from "./repositories.tsx";

export interface IntegrationConnectionProps {
  readonly connection: Integration;
}

/** A connection, its last result, and what it has contributed. */
export function IntegrationConnection({ connection }: IntegrationConnectionProps): JSX.Element {
  const { isOwner } = useViewer();
  const { belongs_to, connected_at, connected_by, answered_at, failed, findings, inputs, credentials } = connection;
  return (
    <>
      <dl className={styles.values}>
        <Value name="Belongs to">{belongs_to}</Value>
        <Value name="Connected">
          by {connected_by.name}, <TimeAgo at={connected_at} />
        </Value>
        <Value name="Last answer">{answered_at ? <TimeAgo at={answered_at} /> : "none yet"}</Value>
        {failed ? (
          <Value name="Last error" isProblem={isFailing(connection)}>
            <TimeAgo at={failed.at} />: {failed.reason}
          </Value>
        ) : null}
        <Value name="In reports">
          {findings === 0 ? "nothing yet" : `${findings.toLocaleString()} ${findings === 1 ? "finding" : "findings"}`}
        </Value>
        {shownInputs(inputs).map(([name, value]) => (
          <Value key={name} name={worded(name)}>
            <code>{value}</code>
          </Value>
        ))}
        {credentials.map((name) => (
          <Value key={name} name={worded(name)}>
            stored encrypted
          </Value>
        ))}
      </dl>
      {isOwner ? <Check connection={connection} /> : null}
      {hasRepositories(connection) ? <Repositories connection={connection} /> : null}
    </>
  );
}

/** Repositories have a list of their own. */
function shownInputs(inputs: Integration["inputs"]): readonly [name: string, value: string][] {
  return Object.entries(inputs).filter(([name]) => name !== "repositories");
}

function hasRepositories({ kind }: Integration): boolean {
  return kind === "github" || kind === "gitlab";
}

interface ValueProps {
  readonly name: string;
  readonly isProblem?: boolean;
  readonly children: ReactNode;
}

function Value({ name, isProblem = false, children }: ValueProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isProblem ? styles.problem : undefined}>{children}</dd>
    </div>
  );
}

/** Also refreshes the page when the vendor refuses, because its reason is then the last error. */
function Check({ connection }: IntegrationConnectionProps): JSX.Element {
  const title = connectionTitle(connection);
  const queryClient = useQueryClient();
  const checking = useMutation({
    mutationFn: () => verify(connection),
    onSuccess: () => toasts.add({ title: `${title} answers` }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["settings"] }),
  });
  return (
    <div className={styles.check}>
      <Button busy={checking.isPending} aria-label={`Check ${title}`} onClick={() => checking.mutate()}>
        Check
      </Button>
      {checking.error && !isNoted(checking.error) ? <Problem error={checking.error} /> : null}
    </div>
  );
}

/** Returns whether the error is already shown as the connection's last one. */
function isNoted(error: Error): boolean {
  return error instanceof ApiError && error.code === "WHENCE_ERR_INTEGRATION_CHECK_FAILED";
}

function worded(name: string): string {
  const words = name.replaceAll("_", " ").replace(/\b(api|url|id)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
