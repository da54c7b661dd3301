import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditAction, AuditEntry } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Placeholder } from "../../../components/placeholder.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { fullTime } from "../../../lib/times.ts";
import { auditQuery } from "../api/audit.ts";
import { useViewer } from "../viewer.ts";
import { SettingsPage } from "./settings-page.tsx";

const said: Readonly<Record<AuditAction, string>> = {
  "agent.claimed": "claimed the agent",
  "agent.confirmed": "confirmed the agent",
  "agent.revoked": "revoked the agent",
  "alert-source.added": "added the alert source",
  "alert-source.changed": "entered a secret of the alert source",
  "alert-source.closed": "had the bot no longer answer where people from outside read:",
  "alert-source.opened": "had the bot also answer where people from outside read:",
  "alert-source.removed": "removed the alert source",
  "alert-source.secret-replaced": "replaced the secret of the alert source",
  "data.exported": "exported the data of",
  "incident.acknowledged": "acknowledged the incident",
  "incident.commented": "commented on the incident",
  "incident.deleted": "deleted the incident",
  "incident.handed-over": "handed over the incident",
  "incident.let-go": "let go of the incident",
  "incident.share-revoked": "revoked a link to the report of the incident",
  "incident.shared": "shared the report of the incident",
  "incident.taken": "took the incident",
  "incident.watch-stopped": "stopped watching the places of the incident",
  "incident.watched": "began to watch the places of the incident",
  "incident.ignored": "ignored the incident",
  "integration.renamed": "renamed the connection",
  "incident.merged": "merged the incident",
  "incident.unmerged": "undid the merge of the incident",
  "incident.muted": "muted the incident",
  "incident.pull-request-opened": "opened a pull request with the patch of the incident",
  "incident.reopened": "reopened the incident",
  "incident.resolved": "resolved the incident",
  "instructions.changed": "changed the custom instructions:",
  "model.connected": "connected the language model",
  "model.disconnected": "disconnected the language model",
  "model.accepted": "allowed the operator's language model",
  "model.refused": "turned off the operator's language model",
  "integration.connected": "connected",
  "integration.disconnected": "disconnected",
  "key.created": "created the key",
  "key.revoked": "revoked the key",
  "member.backup-code-used": "signed in with a backup code:",
  "member.backup-codes-replaced": "replaced the backup codes of",
  "member.invited": "invited",
  "member.invitation-cancelled": "cancelled the invitation of",
  "member.joined": "joined:",
  "member.left": "left:",
  "member.removed": "removed",
  "member.role-changed": "changed the role of",
  "member.two-factor-disabled": "turned off two-factor sign-in for",
  "member.two-factor-enabled": "turned on two-factor sign-in for",
  "member.two-factor-reset": "reset two-factor sign-in for",
  "monitor.changed": "changed the monitor",
  "monitor.created": "created the monitor",
  "monitor.deleted": "deleted the monitor",
  "monitor.key-replaced": "replaced the check-in key of the monitor",
  "monitor.paused": "paused the monitor",
  "monitor.resumed": "resumed the monitor",
  "monitor.tested": "ran a check of the monitor",
  "notification-rule.changed": "changed the notification rule",
  "notification-rule.created": "created the notification rule",
  "notification-rule.deleted": "deleted the notification rule",
  "notification-rule.secret-replaced": "replaced the webhook secret of the notification rule",
  "notification-rule.tested": "sent a test with the notification rule",
  "organization.erased": "deleted all data of",
  "ownership.changed": "changed the ownership rules:",
  "release.removed": "removed the reports of",
  "service.deleted": "deleted the service",
  "sources.removed": "removed the sources of",
  "settings.changed": "changed retention and quotas:",
  "failure.split-off": "split a failure off into its own incident:",
  "thresholds.changed": "changed the incident thresholds:",
};

/** The audit log: who changed what, and when. */
export function AuditPage(): JSX.Element {
  const { isOwner } = useViewer();
  return (
    <SettingsPage title="Audit log" lead="Who changed what in the organization, newest first. It contains no secrets.">
      {isOwner ? <Entries /> : <p>Only owners can read the audit log.</p>}
    </SettingsPage>
  );
}

function Entries(): JSX.Element {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(auditQuery);
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {isPending ? <Placeholder lines={8} /> : null}
      {data ? (
        <Rows none="No changes yet.">
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Rows>
      ) : null}
      {hasNextPage ? (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show earlier entries
          </Button>
        </div>
      ) : null}
    </>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const { at, actor, action, target } = entry;
  return (
    <Row
      title={`${actor.name} ${said[action]} ${target}`}
      facts={[
        <time key="at" dateTime={at}>
          {fullTime(at)}
        </time>,
      ]}
    />
  );
}
