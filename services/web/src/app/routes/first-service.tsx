import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { awaitedServicesQuery } from "../../features/services/api/list-services.ts";
import { Arrival } from "../../features/services/components/arrival.tsx";
import { FirstRun } from "../../features/services/components/first-run.tsx";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import styles from "./services.module.css";

/** How to add a service; turns green when its first telemetry arrives. */
export function FirstServiceRoute(): JSX.Element {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const services = useQuery(awaitedServicesQuery);
  return (
    <div className={styles.narrow}>
      <PageTitle title="Add a service" />
      <p className={styles.soft}>
        The client reports uncaught errors, a heartbeat every minute, and what led up to a failure. No code changes
        needed.
      </p>
      <Loaded query={services} lines={2}>
        {(services) => <Arrival services={services} />}
      </Loaded>
      <FirstRun isOwner={session.organization?.role === "owner"} />
    </div>
  );
}
