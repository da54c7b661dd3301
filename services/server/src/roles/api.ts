import { startOutboxRelay } from "@whence/analyzer";
import type { Bootstrapped } from "../bootstrap.ts";
import { openAnalyzerPorts } from "./analyzer-ports.ts";
import type { RoleContext } from "./role-context.ts";
import { serveApi } from "./serve-api.ts";

/**
 * Starts the role that serves people, agents, and operators, and queues what they ask for. An analyzer does the work.
 */
export async function startApiRole(place: RoleContext): Promise<Bootstrapped> {
  const ports = await openAnalyzerPorts(place);
  const { config, app, clock, parts } = place;
  const { queue, control } = ports;
  const perOrganization = config.investigationsPerOrganization;
  const relay = startOutboxRelay({ control, queue, clock, logger: app.log, perOrganization });
  parts.defer(() => relay.stop());
  return serveApi(place, ports, relay.kick);
}
