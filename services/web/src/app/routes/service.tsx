import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type JSX, useMemo } from "react";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { paths } from "../../config/paths.ts";
import { serviceQuery } from "../../features/services/api/get-service.ts";
import { OpenIncidents } from "../../features/services/components/open-incidents.tsx";
import { ServiceCalls } from "../../features/services/components/service-calls.tsx";
import { ServiceCharts } from "../../features/services/components/service-charts.tsx";
import { ServiceFacts } from "../../features/services/components/service-facts.tsx";
import { ServiceHead, type ServiceHeadProps, ServiceTitle } from "../../features/services/components/service-head.tsx";
import { ServiceProcesses } from "../../features/services/components/service-processes.tsx";
import { ServiceReleases } from "../../features/services/components/service-releases.tsx";
import { serviceSeries } from "../../features/services/service-course.ts";
import { ApiError } from "../../lib/api-client.ts";
import styles from "./services.module.css";

const route = getRouteApi("/inside/services/$service");
const statusNotFound = 404;

/** One service: how it does, what of it runs, and its open incidents. */
export function ServiceRoute(): JSX.Element {
  const { service } = route.useParams();
  const { env, span } = route.useSearch();
  const { data, error, refetch } = useQuery(serviceQuery(service, { env, span }));
  const detail = data?.service === service ? data : undefined;
  return (
    <div className={styles.page}>
      <ServiceTitle service={service} />
      {error ? <Missing error={error} retry={() => void refetch()} /> : null}
      {detail ? <Detail detail={detail} span={span} /> : error ? null : <Placeholder lines={12} />}
    </div>
  );
}

function Missing({ error, retry }: { readonly error: Error; readonly retry: () => void }): JSX.Element {
  if (!(error instanceof ApiError) || error.status !== statusNotFound) return <Problem error={error} retry={retry} />;
  return (
    <p>
      No telemetry of this service is kept: its name or environment may be mistyped, or its telemetry may have expired.{" "}
      <Link to={paths.services}>Back to services</Link>
    </p>
  );
}

function Detail({ detail, span }: ServiceHeadProps): JSX.Element {
  const series = useMemo(() => serviceSeries(detail), [detail]);
  return (
    <>
      <ServiceHead detail={detail} span={span} />
      <ServiceFacts detail={detail} series={series} />
      <OpenIncidents detail={detail} />
      <ServiceCharts detail={detail} series={series} />
      <ServiceReleases detail={detail} />
      <ServiceProcesses detail={detail} />
      <ServiceCalls detail={detail} />
    </>
  );
}
