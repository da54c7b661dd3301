import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { NotificationDelivery } from "@whence/protocol";
import type { JSX } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { sentenceTime } from "../../../lib/times.ts";
import { deliveriesQuery } from "../api/notification-rules.ts";
import { messageName, recipientName } from "./notification-names.ts";

const states: Readonly<Record<NotificationDelivery["state"], readonly [Tone, string]>> = {
  waiting: ["busy", "waiting"],
  sent: ["good", "sent"],
  given_up: ["critical", "failed"],
};

/** The outcomes of a rule's latest messages. */
export function NotificationDeliveries({ ruleId }: { readonly ruleId: string }): JSX.Element {
  const deliveries = useQuery(deliveriesQuery(ruleId));
  return (
    <Loaded query={deliveries} lines={3}>
      {(data) => (
        <Rows none="No messages yet.">
          {data.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </Rows>
      )}
    </Loaded>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: NotificationDelivery }): JSX.Element {
  const { incident, channel, recipient, state, attempts, created_at, next_attempt_at: next, reason } = delivery;
  const [tone, name] = states[state];
  return (
    <Row
      title={
        <>
          <span>
            {messageName(delivery)}
            {incident ? (
              <Link to={paths.incident} params={{ id: incident.id }}>
                {incident.title}
              </Link>
            ) : null}
          </span>
          <Badge tone={tone}>{name}</Badge>
        </>
      }
      facts={[
        `to ${recipientName(channel, recipient)}`,
        <TimeAgo key="at" at={created_at} />,
        attempts > 1 ? `${attempts} attempts` : null,
        reason,
        next !== null && attempts > 0 ? `next attempt at ${sentenceTime(next, Date.now())}` : null,
      ]}
    />
  );
}
