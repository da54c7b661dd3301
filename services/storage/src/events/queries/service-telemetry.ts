import type { ServiceTelemetry } from "../service-telemetry.ts";
import { calledHosts } from "./called-hosts.ts";
import { crashes } from "./crashes.ts";
import type { Ask } from "./query.ts";
import { releaseCounts } from "./release-counts.ts";
import { serviceCourse, serviceEnvs } from "./service-course.ts";
import { sessionCounts } from "./session-counts.ts";

/** The telemetry of the services of one scope. */
export function serviceTelemetry(ask: Ask, scope: string): ServiceTelemetry {
  return {
    serviceEnvs: (service) => serviceEnvs(ask, scope, service),
    serviceCourse: (filter) => serviceCourse(ask, scope, filter),
    releaseCounts: (filter) => releaseCounts(ask, scope, filter),
    sessionCounts: (filter) => sessionCounts(ask, scope, filter),
    crashes: (filter) => crashes(ask, scope, filter),
    calledHosts: (filter) => calledHosts(ask, scope, filter),
  };
}
