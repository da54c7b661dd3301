import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Conversation } from "@whence/protocol";
import type { JSX } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { conversationsQuery } from "../api/alert-sources.ts";

const states: Readonly<Record<Conversation["status"], { readonly name: string; readonly tone: Tone }>> = {
  PROCESSING: { name: "processing", tone: "low" },
  COMPLETED: { name: "completed", tone: "good" },
  FAILED: { name: "failed", tone: "critical" },
};

/** The latest conversations of a source, each with its incident and its state. */
export function AlertSourceConversations({ sourceId }: { readonly sourceId: string }): JSX.Element {
  const conversations = useQuery(conversationsQuery(sourceId));
  return (
    <Loaded query={conversations} lines={3}>
      {(data) => (
        <Rows none="No conversations yet. Mention the bot, or assign an issue to it.">
          {data.conversations.map((conversation) => (
            <ConversationRow key={conversation.thread} conversation={conversation} />
          ))}
        </Rows>
      )}
    </Loaded>
  );
}

function ConversationRow({ conversation }: { readonly conversation: Conversation }): JSX.Element {
  const { title, thread, url, status, incident_id: incidentId, asked_at: asked, updated_at: updated } = conversation;
  const { stopped_at: stopped, failed } = conversation;
  const name = title ?? thread;
  const state = states[status];
  return (
    <Row
      title={
        <>
          {incidentId === null ? (
            name
          ) : (
            <Link to={paths.incident} params={{ id: incidentId }}>
              {name}
            </Link>
          )}
          <Badge tone={state.tone}>{state.name}</Badge>
        </>
      }
      facts={[
        <>
          asked <TimeAgo at={asked} />
        </>,
        <>
          updated <TimeAgo at={updated} />
        </>,
        stopped === null ? null : (
          <>
            called off <TimeAgo at={stopped} />
          </>
        ),
        failed === null ? null : `${outcomeOf(failed)}: ${failed.reason}`,
        url === null ? null : <ExternalLink href={url}>Open the conversation</ExternalLink>,
      ]}
    />
  );
}

function outcomeOf({ given_up: isGivenUp, refused: isRefused }: NonNullable<Conversation["failed"]>): string {
  if (isRefused) return "not answered";
  return isGivenUp ? "gave up" : "will retry";
}
