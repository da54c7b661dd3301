import { addressGuard, type Integration } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import { integrationLimits } from "../../src/integrations/integration-limits.ts";
import { verifyConnection } from "../../src/integrations/verify-connection.ts";

const context = { mayReach: addressGuard([]), clock: Date.now };

/** Notes whether its connections were closed and told to stop. */
function vendor(verify: () => Promise<string>) {
  const seen = { isClosed: false, isStopped: false };
  const integration: Integration = {
    ...{ kind: "uptime", vendor: "Acme", checkedAgainst: "nothing" },
    connect: () => ({
      verify: (signal) => {
        signal.addEventListener("abort", () => {
          seen.isStopped = true;
        });
        return verify();
      },
      ask: async () => [],
      close: async () => {
        seen.isClosed = true;
      },
    }),
  };
  return { integration, seen };
}

describe("verifying a connection", () => {
  it("ends when the time is up with a vendor that ignores its signal, and closes the connection", async () => {
    const { integration, seen } = vendor(() => Promise.withResolvers<string>().promise);
    const message = "Acme did not answer within 0.02 seconds";
    await expect(verifyConnection(integration, {}, context, 20)).rejects.toMatchObject({ reason: "too-slow", message });
    expect(seen).toEqual({ isClosed: true, isStopped: true });
  });

  it("truncates the name of the account", async () => {
    const { integration, seen } = vendor(async () => "x".repeat(integrationLimits.belongsToLengthMax + 1));
    expect(await verifyConnection(integration, {}, context)).toHaveLength(integrationLimits.belongsToLengthMax);
    expect(seen.isClosed).toBe(true);
  });
});
