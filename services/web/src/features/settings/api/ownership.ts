import { queryOptions } from "@tanstack/react-query";
import { type Ownership, type OwnershipChange, ownershipSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** The rules for who owns new incidents, in the order in which they decide. */
export const ownershipQuery = queryOptions({
  queryKey: ["settings", "ownership"],
  queryFn: ({ signal }) => request(ownershipSchema, "/api/ownership", { signal }),
});

/** Replaces all rules. */
export function replaceOwnership(change: OwnershipChange): Promise<Ownership> {
  return request(ownershipSchema, "/api/ownership", { method: "PUT", body: change });
}
