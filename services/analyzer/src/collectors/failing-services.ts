import type { CollectedFor } from "@whence/engine";
import { placeOf } from "./addresses.ts";
import { type AnnouncedReadsOf, announcedOf } from "./announced.ts";
import { type Failure, failureOf, type ReadsOf } from "./shared-reads.ts";

/** The failing service, and the services it called. */
export interface Failing {
  readonly service: string;
  readonly env: string;
  /** RFC 3339. */
  readonly at: string;
  /** The process that failed; null when it isn't known which one of the service. */
  readonly instance: string | null;
  readonly callees: readonly string[];
}

/** Returns the failing service, and the services it called without success; null when none is known to fail. */
export async function failingOf(
  findings: CollectedFor,
  reads: ReadsOf,
  announcedReads: AnnouncedReadsOf,
): Promise<Failing | null> {
  const failure = failureOf(findings);
  if (failure) {
    const { service, env, at, instance } = failure.event;
    return { service, env, at, instance, callees: await troubledServices(failure, reads(failure)) };
  }
  const announced = announcedOf(findings);
  return announced && { ...announced, instance: null, callees: await announcedReads(announced).callees() };
}

async function troubledServices({ event }: Failure, shared: ReturnType<ReadsOf>): Promise<string[]> {
  const troubled = event.calls.filter(({ trouble }) => trouble !== null);
  if (troubled.length === 0) return [];
  const addresses = await shared.addresses();
  const called = troubled.flatMap(({ data }) => addresses.serviceAt(placeOf(data).host) ?? []);
  return [...new Set(called)].filter((service) => service !== event.service);
}
