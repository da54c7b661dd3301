import type { VendorConnection } from "../integrations/integration.ts";
import type { CodeHost } from "./code-host.ts";
import { repositoryOf } from "./repository-assignment.ts";

/**
 * Turns a connected code host into an integration, which returns the deployments and releases of the failing service's
 * repository.
 */
export function codeHostConnection(host: CodeHost, inputs: Readonly<Record<string, string>>): VendorConnection {
  return {
    verify: (signal) => host.account(signal),
    async ask(about, signal) {
      const repository = await repositoryOf(host, inputs, about.service, signal);
      return repository === null ? [] : host.changes(repository, about, signal);
    },
    close: () => host.close(),
  };
}
