import { limits, parseJson, repositoryPathSchema } from "@whence/protocol";
import { z } from "zod";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { CodeHost } from "./code-host.ts";

const assignedSchema = z
  .record(z.string().min(1).max(limits.serviceLengthMax), repositoryPathSchema)
  .refine((all) => Object.keys(all).length <= vendorLimits.repositoriesMax, "there are too many repositories");

/** The repository with a service's code, by the service's name. */
export const repositoriesSchema = z.object({ repositories: assignedSchema });

/**
 * Returns the repository with a service's code: the assigned one, or else the one with the service's name. Null without
 * one.
 */
export async function repositoryOf(
  host: CodeHost,
  inputs: Readonly<Record<string, string>>,
  service: string,
  signal: AbortSignal,
): Promise<string | null> {
  return assignedRepository(inputs, service) ?? host.repositoryNamed(service, signal);
}

/**
 * Returns the repository that people assigned to a service in the connection's inputs; null when they assigned none.
 */
function assignedRepository({ repositories }: Readonly<Record<string, string>>, service: string): string | null {
  const parsed = assignedSchema.safeParse(repositories === undefined ? {} : parseJson(repositories));
  return parsed.success && Object.hasOwn(parsed.data, service) ? (parsed.data[service] ?? null) : null;
}
