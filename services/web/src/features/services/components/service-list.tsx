import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { minuteMs, type Service } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { paths } from "../../../config/paths.ts";
import { useNow } from "../../../lib/use-now.ts";
import { deleteService } from "../api/delete-service.ts";
import { Failures } from "./failures.tsx";
import styles from "./service-list.module.css";

const everyMs = minuteMs;

export interface ServiceListProps {
  readonly services: readonly Service[];
  /** Only owners can delete services. */
  readonly isOwner: boolean;
}

/** The services, each with its running processes and its failures. */
export function ServiceList({ services, isOwner }: ServiceListProps): JSX.Element {
  const now = useNow(everyMs);
  return (
    <ul className={styles.list}>
      {services.map((service) => (
        <li key={`${service.service} ${service.env}`} className={styles.row}>
          <div className={styles.name}>
            <h2>
              <Link to={paths.service} params={{ service: service.service }} search={{ env: service.env }}>
                {service.service}
              </Link>
            </h2>
            <p className={styles.soft}>
              {service.env}
              {service.release === null ? null : ` · ${service.release}`}
            </p>
          </div>
          <div className={styles.state}>
            <Processes count={service.processes} />
            <p className={styles.soft}>
              last seen <TimeAgo at={service.last_heard_at} />
            </p>
          </div>
          <Failures service={service} now={now} />
          <div className={styles.end}>
            <Incidents service={service} />
            {isOwner ? <DeleteService service={service.service} /> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Processes({ count }: { readonly count: number }): JSX.Element {
  if (count === 0) return <Badge tone="medium">Not running</Badge>;
  return <Badge tone="good">{count === 1 ? "1 process" : `${count.toLocaleString()} processes`}</Badge>;
}

function Incidents({ service: { service, env, incidents } }: { readonly service: Service }): JSX.Element {
  if (incidents === 0) return <p className={styles.soft}>No incidents in 24 hours</p>;
  return (
    <Link
      to={paths.incidents}
      search={{ service, env, span: "24h" }}
      aria-label={`${incidents} ${incidents === 1 ? "incident" : "incidents"} of ${service} in the last day`}
    >
      {incidents.toLocaleString()} {incidents === 1 ? "incident" : "incidents"}
    </Link>
  );
}

function DeleteService({ service }: { readonly service: string }): JSX.Element {
  const queryClient = useQueryClient();
  const remove = async (): Promise<void> => {
    await deleteService(service);
    await queryClient.resetQueries();
    toasts.add({ title: `${service} deleted` });
  };
  return (
    <ConfirmButton look="quiet" label="Delete" of={service} title={`Delete ${service}?`} action={remove}>
      <p>
        Its telemetry and its incidents will be deleted in every environment. If it keeps sending, it appears again with
        its new telemetry. This can't be undone.
      </p>
    </ConfirmButton>
  );
}
