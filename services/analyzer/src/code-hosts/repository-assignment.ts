import { limits, parseJson, repositoryPathSchema } from "@whence/protocol";
import { z } from "zod";
import { integrationLimits } from "../integrations/integration-limits.ts";

const assignedSchema = z
  .record(z.string().min(1).max(limits.serviceLengthMax), repositoryPathSchema)
  .refine((all) => Object.keys(all).length <= integrationLimits.repositoriesMax, "there are too many repositories");

/** Which repository has a service's code, by the service's name. */
export const repositoriesSchema = z.object({ repositories: assignedSchema });

/** The repository that people assigned to a service, among what the connection is stored with; null when they assigned none. */
export function assignedRepository({ repositories }: Readonly<Record<string, string>>, service: string): string | null {
  const parsed = assignedSchema.safeParse(repositories === undefined ? {} : parseJson(repositories));
  return parsed.success && Object.hasOwn(parsed.data, service) ? (parsed.data[service] ?? null) : null;
}
