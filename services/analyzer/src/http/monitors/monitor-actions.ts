import {
  type KeyedMonitor,
  keyedMonitorSchema,
  type Monitor,
  type MonitorResult,
  monitorResultSchema,
  monitorSchema,
} from "@whence/protocol";
import type { LivenessStore, StoredMonitor } from "@whence/storage";
import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import { hashSecret, mintSecret } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { noProgress } from "../../monitors/judge.ts";
import { beginning, checkMonitor } from "../../monitors/kinds.ts";
import { endAlert, type SettlingContext } from "../../monitors/settle-check.ts";
import { byKeyOrOwner, byOwner } from "../access.ts";
import { recordChange, recordChangeOf } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { type Caller, memberCaller, requireKeyOrOwner, requireOwner } from "../viewer.ts";
import { findMonitor, presentMonitor } from "./known-monitor.ts";
import type { MonitorRoute } from "./monitors.ts";

const acting = { tags: ["monitors"], response: { 200: monitorSchema } } as const;
const operations = {
  pause: {
    ...acting,
    operationId: "pause_monitor",
    summary: "Stop checking; its alert ends, and its incident stays",
    errors: ["WHENCE_ERR_MONITOR_UNKNOWN", "WHENCE_ERR_MONITOR_BUSY"],
  },
  resume: {
    ...acting,
    operationId: "resume_monitor",
    summary: "Check a paused monitor again",
    errors: ["WHENCE_ERR_MONITOR_UNKNOWN", "WHENCE_ERR_MONITOR_BUSY"],
  },
  test: {
    operationId: "test_monitor",
    tags: ["monitors"],
    response: { 200: monitorResultSchema },
    summary: "Check now and get the result, which counts for nothing",
    errors: ["WHENCE_ERR_MONITOR_UNKNOWN", "WHENCE_ERR_RATE_LIMITED"],
  },
  key: {
    operationId: "replace_check_in_key",
    tags: ["monitors"],
    response: { 200: keyedMonitorSchema },
    summary: "Replace the key of a monitor's check-ins; the old one stops working",
    errors: ["WHENCE_ERR_MONITOR_UNKNOWN", "WHENCE_ERR_MONITOR_TAKES_NO_CHECK_INS"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<HttpContext["control"] & SettlingContext["control"] & LivenessStore>;

/**
 * Routes that pause and resume monitors, also by key, and with which owners test them and replace the keys of their
 * check-ins.
 */
export function monitorActionRoutes(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  const { control, clock, events, queue, appUrl, integrations } = context;

  app.post<MonitorRoute>(
    "/api/monitors/:id/pause",
    { ...byKeyOrOwner("full"), schema: operations.pause },
    async (request): Promise<Monitor> => {
      const { caller, monitor } = await pausable(context, request);
      await endAlert(context, monitor);
      const { incidentId, lastResult } = monitor.progress;
      const progress = { ...noProgress, incidentId, lastResult };
      const paused = await written(context, monitor, { progress, nextCheckAt: null });
      await recordChangeOf(context, caller, "monitor.paused", monitor.name);
      return presentMonitor(paused, appUrl);
    },
  );

  app.post<MonitorRoute>(
    "/api/monitors/:id/resume",
    { ...byKeyOrOwner("full"), schema: operations.resume },
    async (request): Promise<Monitor> => {
      const { caller, monitor } = await pausable(context, request);
      if (monitor.nextCheckAt !== null) return presentMonitor(monitor, appUrl);
      const { nextCheckAt, own } = beginning(monitor.check, clock());
      const progress = { ...monitor.progress, ...own };
      const resumed = await written(context, monitor, { progress, nextCheckAt: new Date(nextCheckAt).toISOString() });
      await recordChangeOf(context, caller, "monitor.resumed", monitor.name);
      return presentMonitor(resumed, appUrl);
    },
  );

  app.post<MonitorRoute>(
    "/api/monitors/:id/test",
    { ...byOwner, schema: operations.test },
    async (request, reply): Promise<MonitorResult> => {
      const { owner, monitor } = await monitorOf(context, request);
      request.caller = memberCaller(owner);
      await rateLimits.monitorTest(request, reply);
      const { result } = await checkMonitor(monitor, {
        control,
        clock,
        events,
        queue,
        mayReach: integrations.mayReach,
      });
      await recordChange(context, owner, "monitor.tested", monitor.name);
      return result;
    },
  );

  app.post<MonitorRoute>(
    "/api/monitors/:id/key",
    { ...byOwner, schema: operations.key },
    async (request): Promise<KeyedMonitor> => {
      const { owner, monitor } = await monitorOf(context, request);
      if (monitor.check.kind !== "check-in") {
        throw analyzerErrors.create("WHENCE_ERR_MONITOR_TAKES_NO_CHECK_INS", [monitor.name]);
      }
      const key = mintSecret("whm");
      await control.scope(owner.organizationId).monitors.replaceKey(monitor.id, hashSecret(key));
      await recordChange(context, owner, "monitor.key-replaced", monitor.name);
      return { monitor: presentMonitor(monitor, appUrl), check_in_key: key };
    },
  );
}

async function pausable(
  context: Context,
  request: FastifyRequest<MonitorRoute>,
): Promise<{ readonly caller: Caller; readonly monitor: StoredMonitor }> {
  requireSameOrigin(request, context);
  const caller = await requireKeyOrOwner(context, request);
  return { caller, monitor: await findMonitor(context.control, caller.scopeId, request.params.id) };
}

async function monitorOf(
  context: Context,
  request: FastifyRequest<MonitorRoute>,
): Promise<{ readonly owner: Member; readonly monitor: StoredMonitor }> {
  requireSameOrigin(request, context);
  const owner = await requireOwner(context, request);
  return { owner, monitor: await findMonitor(context.control, owner.organizationId, request.params.id) };
}

async function written(
  { control }: Context,
  monitor: StoredMonitor,
  change: Pick<StoredMonitor, "progress" | "nextCheckAt">,
): Promise<StoredMonitor> {
  const done = await control.scope(monitor.scopeId).monitors.write(monitor, change);
  if (!done) throw analyzerErrors.create("WHENCE_ERR_MONITOR_BUSY", [monitor.name]);
  return done;
}
