import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { findProgram } from "./programs.ts";
import { killServers, startQuietly, untilReady } from "./started-servers.ts";

/** Prometheus and Alertmanager on the loopback interface, with data in a temporary folder. */
export interface PrometheusServers {
  readonly prometheus: string;
  readonly alertmanager: string;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  /**
   * Scraped every second, as the job `payments`; nothing needs to listen there. Prometheus itself has the label
   * `service="orders"`.
   */
  readonly targets: readonly string[];
  /** The names of alerts that fire from the start with the summary `it always fires`, and their labels. */
  readonly alerts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Starts both. Throws an error that names the Debian package when it isn't installed. Resolves when both serve
 * requests.
 */
export async function startPrometheus(options: PrometheusOptions): Promise<PrometheusServers> {
  const [prometheus, alertmanager] = [
    findProgram("prometheus", "prometheus"),
    findProgram("prometheus-alertmanager", "prometheus-alertmanager"),
  ];
  const folder = await mkdtemp(join(tmpdir(), "whence-prometheus-"));
  const addresses = { prometheus: `127.0.0.1:${await freePort()}`, alertmanager: `127.0.0.1:${await freePort()}` };
  const file = (name: string): string => join(folder, name);
  // YAML is a superset of JSON.
  await writeFile(file("rules.yml"), JSON.stringify(rulesOf(options)));
  await writeFile(file("prometheus.yml"), JSON.stringify(configurationOf(options, addresses, file("rules.yml"))));
  await writeFile(
    file("alertmanager.yml"),
    JSON.stringify({ route: { receiver: "none" }, receivers: [{ name: "none" }] }),
  );
  const children = [
    startQuietly(prometheus, [
      `--config.file=${file("prometheus.yml")}`,
      `--web.listen-address=${addresses.prometheus}`,
      `--storage.tsdb.path=${file("tsdb")}`,
      "--rules.alert.resend-delay=1s",
    ]),
    startQuietly(alertmanager, [
      `--config.file=${file("alertmanager.yml")}`,
      `--web.listen-address=${addresses.alertmanager}`,
      `--storage.path=${file("alertmanager")}`,
      "--cluster.listen-address=",
    ]),
  ];
  const servers = {
    prometheus: `http://${addresses.prometheus}`,
    alertmanager: `http://${addresses.alertmanager}`,
    stop: () => stop(children, folder),
  };
  try {
    await Promise.all([servers.prometheus, servers.alertmanager].map((url) => untilReady(`${url}/-/ready`)));
    return servers;
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

function rulesOf({ alerts }: PrometheusOptions): object {
  const annotations = { summary: "it always fires" };
  const rules = Object.entries(alerts).map(([alert, labels]) => ({ alert, expr: "vector(1)", labels, annotations }));
  return { groups: [{ name: "test", interval: "1s", rules }] };
}

function configurationOf(
  { targets }: PrometheusOptions,
  { prometheus, alertmanager }: { readonly prometheus: string; readonly alertmanager: string },
  rules: string,
): object {
  const eachSecond = { scrape_interval: "1s", scrape_timeout: "1s" };
  const itself = [{ targets: [prometheus], labels: { service: "orders" } }];
  return {
    rule_files: [rules],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    scrape_configs: [
      { job_name: "payments", ...eachSecond, static_configs: [{ targets }] },
      { job_name: "prometheus", ...eachSecond, static_configs: itself },
    ],
  };
}

async function stop(children: readonly ChildProcess[], folder: string): Promise<void> {
  await killServers(children);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
