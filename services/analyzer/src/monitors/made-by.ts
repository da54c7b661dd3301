import type { Person, StoredMonitor } from "@whence/storage";

/** Stands before the ID of a project where the ID of the person is who made a monitor. */
const clientPrefix = "sentry:";

/** Returns a client of Sentry's as the maker of a monitor. */
export function clientOf(projectId: string): Person {
  return { id: `${clientPrefix}${projectId}`, name: "Sentry client" };
}

/** Whether a client described the monitor with its runs, rather than an owner. */
export function isOfClient({ createdBy }: Pick<StoredMonitor, "createdBy">): boolean {
  return createdBy.id.startsWith(clientPrefix);
}
