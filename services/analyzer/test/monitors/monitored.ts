import { randomUUID } from "node:crypto";
import { type Monitor, type MonitorResult, minuteMs } from "@whence/protocol";
import { addressGuard } from "@whence/vendors";
import { type MonitorWatchOptions, startMonitorWatch } from "../../src/monitors/monitor-watch.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The networks that the operator of these tests allows. */
export const loopback = addressGuard(["127.0.0.0/8"]);

/** An organization whose monitors a test checks when it wants to. */
export interface Monitored {
  readonly service: TestService;
  readonly acme: TestOrganization;
  ask(
    method: Method,
    path: string,
    payload?: object,
    cookie?: string,
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** Creates a monitor and returns it, with the key of its check-ins. */
  create(settings: object): Promise<{ readonly monitor: Monitor; readonly key: string }>;
  read(id: string): Promise<Monitor>;
  results(id: string): Promise<readonly MonitorResult[]>;
  /** Lets minutes pass, and as many analyzers at once, perhaps with something broken, make the checks that are due then. */
  pass(minutes: number, analyzers?: number, broken?: Partial<MonitorWatchOptions>): Promise<void>;
  /** The incidents of the organization, the newest first. */
  incidents(): ReturnType<ReturnType<TestService["control"]["scope"]>["incidents"]["list"]>;
}

export async function startMonitored(mayReach = loopback): Promise<Monitored & { fresh(): Promise<Monitored> }> {
  const service = await startTestService({}, false, {}, false, true, { mayReach });
  const first = await monitoredBy(service, mayReach);
  return { ...first, fresh: () => monitoredBy(service, mayReach) };
}

async function monitoredBy(service: TestService, mayReach: typeof loopback): Promise<Monitored> {
  const acme = await makeOrganization(service, `acme-${randomUUID()}`);
  const { control, events, queue, metrics, clock } = service;
  const ask: Monitored["ask"] = async (method, path, payload, cookie = acme.cookie) => {
    const url = path.startsWith("/api/") ? path : `/api/monitors${path}`;
    const answer = await service.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };
  return {
    ...{ service, acme, ask },
    async create(settings) {
      const { status, body } = await ask("POST", "", settings);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return { monitor: body.monitor, key: body.check_in_key };
    },
    read: async (id) => (await ask("GET", `/${id}`)).body,
    results: async (id) => (await ask("GET", `/${id}/results`)).body.results,
    async pass(minutes, analyzers = 1, broken = {}) {
      clock.now += minutes * minuteMs;
      const options = { control, events, queue, metrics, mayReach, logger: silent, relayOutbox: () => undefined };
      const watches = Array.from({ length: analyzers }, () =>
        startMonitorWatch({ ...options, clock: () => clock.now, ...broken }),
      );
      await Promise.all(watches.map((watch) => watch.stop()));
    },
    incidents: () => control.scope(acme.id).incidents.list({ limit: 100 }),
  };
}
