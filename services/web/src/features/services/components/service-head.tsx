import { Link } from "@tanstack/react-router";
import type { ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PageTitle } from "../../../components/page-title.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { defaultSpan, offeredSpans, spanNames, type ViewSpan } from "../service-view.ts";
import styles from "./service-head.module.css";

/** The way back to all services, and the name of this one. */
export function ServiceTitle({ service }: { readonly service: string }): JSX.Element {
  return (
    <>
      <Link to={paths.services} className={styles.back}>
        <Icon name="back" size={14} />
        Services
      </Link>
      <PageTitle title={service} />
    </>
  );
}

export interface ServiceHeadProps {
  readonly detail: ServiceDetail;
  readonly span: ViewSpan | undefined;
}

/** What of the service runs, and the choice of environment and span. */
export function ServiceHead({ detail, span = defaultSpan }: ServiceHeadProps): JSX.Element {
  const { service, env, envs, processes, has_more_processes: hasMore, last_seen_at: seen } = detail;
  const live = processes.filter(({ state }) => state === "live").length;
  return (
    <div className={styles.head}>
      <p className={styles.meta}>
        {live === 0 ? (
          <Badge tone="medium">Not running</Badge>
        ) : (
          <Badge tone="good">{`${live}${hasMore ? "+" : ""} live ${live === 1 ? "process" : "processes"}`}</Badge>
        )}
        <span>
          last seen <TimeAgo at={seen} />
        </span>
      </p>
      <div className={styles.choices}>
        {envs.length > 1 ? (
          <nav aria-label="Environment" className={styles.choice}>
            {envs.map((one) => (
              <Link
                key={one}
                to={paths.service}
                params={{ service }}
                search={{ env: one, span }}
                aria-current={one === env ? "true" : undefined}
              >
                {one}
              </Link>
            ))}
          </nav>
        ) : (
          <span className={styles.meta}>{env}</span>
        )}
        <nav aria-label="Time range" className={styles.choice}>
          {offeredSpans(detail.retention_days).map((one) => (
            <Link
              key={one}
              to={paths.service}
              params={{ service }}
              search={{ env, span: one }}
              aria-current={one === span ? "true" : undefined}
            >
              {spanNames[one]}
            </Link>
          ))}
        </nav>
      </div>
    </div>
  );
}
