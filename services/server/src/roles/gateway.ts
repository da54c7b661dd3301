import { connectedCode } from "@whence/analyzer";
import { gatewayMetrics, gatewayRoutes, startPulse } from "@whence/gateway";
import type { RoleContext } from "./role-context.ts";

/** Starts the role that ingests telemetry. It needs the queue, and the control database for keys and quotas. */
export async function startGatewayRole({
  config,
  app,
  storage,
  disk,
  registry,
  clock,
  parts,
}: RoleContext): Promise<void> {
  const [queue, control] = await Promise.all([storage.queue(), storage.control()]);
  const { telemetryPerMinutePerKey } = config.rates;
  await app.register(
    gatewayRoutes({
      queue,
      keys: control.keys,
      usage: control.usage,
      secrets: control,
      control,
      hasCode: connectedCode(config.sources, control),
      metrics: gatewayMetrics(registry),
      disk,
      clock,
      telemetryPerMinutePerKey,
    }),
  );
  const pulse = startPulse({ pulses: control.pulses, queue, clock, logger: app.log });
  parts.defer(() => pulse.stop());
}
