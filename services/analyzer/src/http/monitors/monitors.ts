import {
  type KeyedMonitor,
  keyedMonitorSchema,
  type Monitor,
  type MonitorChange,
  type MonitorList,
  type MonitorResultList,
  monitorChangeSchema,
  monitorLimits,
  monitorListSchema,
  monitorResultListSchema,
  monitorSchema,
  violation,
} from "@whence/protocol";
import type { AlertScope, AuditScope, KeyStore, MonitorScope, Scoped, StoredMonitor } from "@whence/storage";
import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import { hashSecret, mintSecret } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import { noProgress } from "../../monitors/judge.ts";
import { beginning, problemOf } from "../../monitors/kinds.ts";
import { isOfClient } from "../../monitors/made-by.ts";
import { endAlert } from "../../monitors/settle-check.ts";
import { byKeyOrMember, byKeyOrOwner } from "../access.ts";
import { recordChangeOf } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { type Caller, requireKeyOrOwner, requireScope } from "../viewer.ts";
import { findMonitor, knownMonitor, presentMonitor } from "./known-monitor.ts";

const tags = ["monitors"];
const unknown = ["WHENCE_ERR_MONITOR_UNKNOWN"] as const;
const operations = {
  list: {
    operationId: "list_monitors",
    tags,
    summary: "List the organization's monitors, the oldest first",
    response: { 200: monitorListSchema },
  },
  find: {
    operationId: "get_monitor",
    tags,
    summary: "Get a monitor",
    errors: unknown,
    response: { 200: monitorSchema },
  },
  results: {
    operationId: "list_monitor_results",
    tags,
    errors: unknown,
    summary: "List the latest 100 results of a monitor, the newest first",
    response: { 200: monitorResultListSchema },
  },
  create: {
    operationId: "create_monitor",
    tags,
    body: monitorChangeSchema,
    summary: "Create a monitor; the key of its check-ins is shown only once",
    response: { 200: keyedMonitorSchema },
    errors: ["WHENCE_ERR_MONITORS_FULL"],
  },
  replace: {
    operationId: "replace_monitor",
    tags,
    body: monitorChangeSchema,
    summary: "Replace the settings of a monitor; its kind stays",
    response: { 200: monitorSchema },
    errors: ["WHENCE_ERR_MONITOR_UNKNOWN", "WHENCE_ERR_MONITOR_BUSY"],
  },
  remove: {
    operationId: "delete_monitor",
    tags,
    errors: unknown,
    summary: "Delete a monitor with its results; its alert ends, and its incidents stay",
    response: { 200: z.object({ id: z.string() }) },
  },
} as const satisfies Record<string, FastifySchema>;

/** A route that names a monitor. */
export interface MonitorRoute {
  readonly Params: { readonly id: string };
}

type Context = HttpContext<KeyStore & Scoped<MonitorScope & AuditScope & AlertScope>>;

/**
 * Routes for an organization's monitors: members and keys that read see them and their results; owners and keys that may
 * do everything create, change, and delete them.
 */
export function monitorRoutes(app: FastifyInstance, context: Context): void {
  readRoutes(app, context);
  const { control, clock, appUrl } = context;

  app.post(
    "/api/monitors",
    { ...byKeyOrOwner("full"), schema: operations.create },
    async (request): Promise<KeyedMonitor> => {
      const { caller, change } = await changeBy(context, request);
      const { monitors } = control.scope(caller.scopeId);
      if ((await monitors.list()).length >= monitorLimits.monitorsMax) {
        throw analyzerErrors.create("WHENCE_ERR_MONITORS_FULL", [monitorLimits.monitorsMax]);
      }
      const key = change.check.kind === "check-in" ? mintSecret("whm") : null;
      const now = clock();
      const { nextCheckAt, own } = beginning(change.check, now);
      const added = await monitors.add({
        change,
        keyHash: key === null ? null : hashSecret(key),
        progress: { ...noProgress, ...own },
        nextCheckAt: iso(nextCheckAt),
        by: { id: caller.actor.id, name: caller.actor.name },
        now: new Date(now),
      });
      await recordChangeOf(context, caller, "monitor.created", change.name);
      return { monitor: presentMonitor(added, appUrl), check_in_key: key };
    },
  );

  app.put<MonitorRoute>(
    "/api/monitors/:id",
    { ...byKeyOrOwner("full"), schema: operations.replace },
    async (request): Promise<Monitor> => {
      const { caller, change } = await changeBy(context, request);
      const { monitors } = control.scope(caller.scopeId);
      const stored = await findMonitor(control, caller.scopeId, request.params.id);
      if (stored.check.kind !== change.check.kind) {
        throw violation(["body", "check", "kind"], "literal_error", `Input should be '${stored.check.kind}'`);
      }
      refuseRenaming(stored, change);
      const { nextCheckAt, own } = beginning(change.check, clock());
      const progress = { ...stored.progress, ...own };
      const isPaused = stored.nextCheckAt === null;
      const written = await monitors.write(stored, {
        change,
        progress,
        nextCheckAt: isPaused ? null : iso(nextCheckAt),
      });
      if (!written) throw analyzerErrors.create("WHENCE_ERR_MONITOR_BUSY", [stored.name]);
      await recordChangeOf(context, caller, "monitor.changed", change.name);
      return presentMonitor(written, appUrl);
    },
  );

  app.delete<MonitorRoute>(
    "/api/monitors/:id",
    { ...byKeyOrOwner("full"), schema: operations.remove },
    async (request): Promise<{ id: string }> => {
      requireSameOrigin(request, context);
      const caller = await requireKeyOrOwner(context, request);
      const { monitors } = control.scope(caller.scopeId);
      const found = await findMonitor(control, caller.scopeId, request.params.id);
      await endAlert(context, found);
      const { id, name } = knownMonitor(await monitors.remove(found.id), found.id);
      await recordChangeOf(context, caller, "monitor.deleted", name);
      return { id };
    },
  );
}

/** A client's runs find its monitor by what they name: without it, they would count for nothing. */
function refuseRenaming(stored: StoredMonitor, change: MonitorChange): void {
  if (!isOfClient(stored) || stored.check.kind !== "check-in" || change.check.kind !== "check-in") return;
  const named = [
    { setting: ["service"], is: stored.service, wanted: change.service },
    { setting: ["env"], is: stored.env, wanted: change.env },
    { setting: ["check", "slug"], is: stored.check.slug, wanted: change.check.slug },
  ];
  const renamed = named.find(({ is, wanted }) => is !== wanted);
  if (!renamed) return;
  const message = `A Sentry client made this monitor, and its check-ins name '${renamed.is}': change it in the program`;
  throw violation(["body", ...renamed.setting], "value_error", message);
}

function readRoutes(app: FastifyInstance, context: Context): void {
  const { control, appUrl } = context;

  app.get(
    "/api/monitors",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<MonitorList> => {
      const scopeId = await requireScope(context, request);
      const monitors = await control.scope(scopeId).monitors.list();
      return { monitors: monitors.map((monitor) => presentMonitor(monitor, appUrl)) };
    },
  );

  app.get<MonitorRoute>(
    "/api/monitors/:id",
    { ...byKeyOrMember("read"), schema: operations.find },
    async (request): Promise<Monitor> => {
      const scopeId = await requireScope(context, request);
      return presentMonitor(await findMonitor(control, scopeId, request.params.id), appUrl);
    },
  );

  app.get<MonitorRoute>(
    "/api/monitors/:id/results",
    { ...byKeyOrMember("read"), schema: operations.results },
    async (request): Promise<MonitorResultList> => {
      const scopeId = await requireScope(context, request);
      const { id } = await findMonitor(control, scopeId, request.params.id);
      return { results: [...(await control.scope(scopeId).monitors.results(id, monitorLimits.monitorResultsMax))] };
    },
  );
}

/** Returns the settings that are sent, and by whom. Refuses those that can't work. */
async function changeBy(
  context: Context,
  request: FastifyRequest,
): Promise<{ readonly caller: Caller; readonly change: MonitorChange }> {
  requireSameOrigin(request, context);
  const change = parse(monitorChangeSchema, request.body, "body");
  const caller = await requireKeyOrOwner(context, request);
  const problem = problemOf(change.check, { mayReach: context.integrations.mayReach, clock: context.clock });
  if (problem) throw violation(["body", "check", ...problem.setting.split(".")], "value_error", problem.message);
  return { caller, change };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
