import type { Integration } from "@whence/protocol";
import { z } from "zod";

const assignedSchema = z.record(z.string(), z.string());

/** The repository of a service: the one that an owner assigned, or null for the one with the service's name. */
export interface ServiceRepository {
  readonly service: string;
  readonly repository: string | null;
}

/** Returns the repositories that owners assigned, by service. */
export function assignedRepositories({ inputs }: Pick<Integration, "inputs">): Readonly<Record<string, string>> {
  return inputs.repositories === undefined ? {} : assignedSchema.parse(JSON.parse(inputs.repositories));
}

/** Returns every service that was seen or has a repository, sorted. */
export function serviceRepositories(
  assigned: Readonly<Record<string, string>>,
  seen: readonly string[],
): readonly ServiceRepository[] {
  const services = [...new Set([...Object.keys(assigned), ...seen])].toSorted((one, other) => one.localeCompare(other));
  return services.map((service) => ({
    service,
    repository: Object.hasOwn(assigned, service) ? (assigned[service] ?? null) : null,
  }));
}
