import type { OutboundContext, VendorConnection } from "../integrations/integration.ts";
import { type CodeHostKind, openCodeHost, repositoryOf } from "./connected-code-host.ts";

/** A connected code host as an integration: what was deployed and released of the failing service's repository. */
export function codeHostConnection(
  kind: CodeHostKind,
  inputs: Readonly<Record<string, string>>,
  context: OutboundContext,
): VendorConnection {
  const host = openCodeHost(kind, inputs, context);
  return {
    verify: (signal) => host.account(signal),
    async ask(about, signal) {
      const repository = await repositoryOf(host, inputs, about.service, signal);
      return repository === null ? [] : host.changes(repository, about, signal);
    },
    close: () => host.close(),
  };
}
