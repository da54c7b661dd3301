import type { IntegrationKindName } from "@whence/protocol";
import type { IntegrationRepository } from "@whence/storage";
import { z } from "zod";
import { freshInputs } from "../integrations/authorization/fresh-inputs.ts";
import type { OutboundContext } from "../integrations/integration.ts";
import { VendorFailure } from "../integrations/vendor-failure.ts";
import type { CodeHost } from "./code-host.ts";
import { openGitHub } from "./github-host.ts";
import { openGitLab } from "./gitlab-host.ts";
import { assignedRepository } from "./repository-assignment.ts";

type Inputs = Readonly<Record<string, string>>;
/** The kinds that have repositories, in the order in which they are asked. */
export const codeHostKinds = ["code-hosting-1", "code-hosting-2"] as const satisfies readonly IntegrationKindName[];
export type CodeHostKind = (typeof codeHostKinds)[number];

/** What people call each kind. */
export const codeHostVendors: Readonly<Record<CodeHostKind, string>> = {
  "code-hosting-1": "GitHub",
  "code-hosting-2": "GitLab",
};

/** Whether a kind has repositories. */
export function isCodeHost(kind: IntegrationKindName): kind is CodeHostKind {
  return codeHostKinds.some((one) => one === kind);
}

const githubSchema = z.object({ installation_id: z.coerce.number().int(), account: z.string() });
const gitlabSchema = z.object({ access_token: z.string() });

/** Opens a connected code host. Throws a {@link VendorFailure} when its application is no longer configured. */
export function openCodeHost(kind: CodeHostKind, inputs: Inputs, context: OutboundContext): CodeHost {
  const { github, gitlab } = context.applications ?? {};
  if (kind === "code-hosting-1" && github) {
    const { installation_id: installationId, account } = githubSchema.parse(inputs);
    return openGitHub(github, { installationId, account }, context);
  }
  if (kind === "code-hosting-2" && gitlab) {
    const { access_token: accessToken } = gitlabSchema.parse(inputs);
    return openGitLab({ url: gitlab.url, accessToken }, context);
  }
  throw new VendorFailure("unauthorized", "the application for this integration is no longer configured");
}

/** A repository at a connected code host. */
export interface ConnectedRepository {
  readonly host: CodeHost;
  readonly repository: string;
}

/**
 * The repository with a service's code at a connected code host; null when there is none. Its host stays open until the
 * signal fires, which ends whatever is still asked.
 */
export async function connectedRepository(
  integrations: IntegrationRepository,
  { kind, service }: { readonly kind: CodeHostKind; readonly service: string },
  context: OutboundContext,
  signal: AbortSignal,
): Promise<ConnectedRepository | null> {
  const inputs = await freshInputs(integrations, kind, context, signal);
  if (!inputs) return null;
  const host = openCodeHost(kind, inputs, context);
  signal.addEventListener("abort", () => void host.close(), { once: true });
  const repository = await repositoryOf(host, inputs, service, signal);
  return repository === null ? null : { host, repository };
}

/** The repository with a service's code: the assigned one, otherwise the one of the service's name. Null when there is none. */
export async function repositoryOf(
  host: CodeHost,
  inputs: Inputs,
  service: string,
  signal: AbortSignal,
): Promise<string | null> {
  return assignedRepository(inputs, service) ?? host.repositoryNamed(service, signal);
}
