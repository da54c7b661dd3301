import { limits, parseJson, repositoryPathSchema } from "@whence/protocol";
import { z } from "zod";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { CodeHost } from "./code-host.ts";

const assignedSchema = z
  .record(z.string().min(1).max(limits.serviceLengthMax), repositoryPathSchema)
  .refine((all) => Object.keys(all).length <= vendorLimits.repositoriesMax, "there are too many repositories");

/** Which repository has a service's code, by the service's name. */
export const repositoriesSchema = z.object({ repositories: assignedSchema });

/** The repository with a service's code: the assigned one, otherwise the one of the service's name. Null when there is none. */
export async function repositoryOf(
  host: CodeHost,
  inputs: Readonly<Record<string, string>>,
  service: string,
  signal: AbortSignal,
): Promise<string | null> {
  return assignedRepository(inputs, service) ?? host.repositoryNamed(service, signal);
}

/** The repository that people assigned to a service, among what the connection is stored with; null when they assigned none. */
function assignedRepository({ repositories }: Readonly<Record<string, string>>, service: string): string | null {
  const parsed = assignedSchema.safeParse(repositories === undefined ? {} : parseJson(repositories));
  return parsed.success && Object.hasOwn(parsed.data, service) ? (parsed.data[service] ?? null) : null;
}
