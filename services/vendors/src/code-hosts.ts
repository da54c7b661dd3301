import type { IntegrationKindName } from "@whence/protocol";
import type { CodeHostVendor } from "./code-hosts/code-host.ts";
import { gitHubRepositories } from "./github/code-host.ts";
import { gitLabRepositories } from "./gitlab/code-host.ts";

/** Every code host, in the order in which they are queried. */
export const codeHosts: readonly CodeHostVendor[] = [gitHubRepositories, gitLabRepositories];

/** Returns whether a kind has repositories. */
export function isCodeHost(kind: IntegrationKindName): boolean {
  return codeHosts.some((one) => one.kind === kind);
}
