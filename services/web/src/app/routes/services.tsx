import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { paths } from "../../config/paths.ts";
import { servicesQuery } from "../../features/services/api/list-services.ts";
import { runningWatchesQuery } from "../../features/services/api/list-watches.ts";
import { ServiceList } from "../../features/services/components/service-list.tsx";
import { ServiceWatches } from "../../features/services/components/service-watches.tsx";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import styles from "./services.module.css";

/** The services seen in the last day, and their health. */
export function ServicesRoute(): JSX.Element {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: watches } = useQuery(runningWatchesQuery);
  const isOwner = session.organization?.role === "owner";
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <PageTitle title="Services" />
        <Link to={paths.firstService}>Add a service</Link>
      </div>
      <Loaded query={useQuery(servicesQuery)} lines={6}>
        {(services) => (services.length === 0 ? <NoServices /> : <ServiceList services={services} isOwner={isOwner} />)}
      </Loaded>
      {watches && watches.length > 0 ? <ServiceWatches watches={watches} /> : null}
    </div>
  );
}

function NoServices(): JSX.Element {
  return (
    <Nothing title="No telemetry in the last 24 hours">
      <p>
        A service appears here with its first heartbeat. <Link to={paths.firstService}>Add a service</Link>
      </p>
    </Nothing>
  );
}
