import { z } from "zod";
import { identifier, optionalText, time } from "../text/fields.ts";
import { nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { severityFrom } from "../text/severity-words.ts";
import type { AnnouncedAlert } from "./announcement.ts";

const textsSchema = z.record(z.string(), z.string());

/** One alert of a group, as Prometheus's Alertmanager and Grafana's send it. */
export const prometheusAlertSchema = z.object({
  status: z.enum(["firing", "resolved"]),
  labels: textsSchema,
  annotations: textsSchema.default({}),
  startsAt: time,
  generatorURL: optionalText,
  fingerprint: identifier,
});
type PrometheusAlert = z.infer<typeof prometheusAlertSchema>;

/** Labels that name the service and environment, the most reliable first. */
const serviceLabels = ["service", "service_name", "app", "app_kubernetes_io_name", "application", "job"];
/** Exporters, which measure other services and appear in the labels of those; the workload has labels of its own. */
const exporters = /\b(?:kube-state-metrics|kubelet|cadvisor|node-exporter|blackbox(?:-exporter)?)\b/i;
const workloadLabels = ["deployment", "statefulset", "daemonset", "container"];
const envLabels = ["env", "environment", "deployment_environment"];

/** Returns the alert without its address. `heading` and `more` are the first and last lines of its text. */
export function fromPrometheusAlert(
  alert: PrometheusAlert,
  heading: (name: string) => string,
  more: readonly string[] = [],
): Omit<AnnouncedAlert, "url"> {
  const { labels, annotations, startsAt } = alert;
  const name = labels.alertname ?? "Alert";
  const summary = annotations.summary ?? annotations.message ?? annotations.title;
  return {
    key: `${alert.fingerprint} ${startsAt}`,
    state: alert.status,
    title: titleFrom(summary?.includes(name) ? summary : [name, summary].filter(Boolean).join(": ")),
    text: textFrom(
      heading(name),
      ...Object.entries(annotations).map(([key, value]) => `${key}: ${value}`),
      ...Object.entries(labels).map(([key, value]) => `- ${key} = ${value}`),
      ...more,
      `startsAt: ${startsAt}`,
    ),
    service: serviceIn(labels),
    env: firstOf(labels, envLabels),
    severity: severityFrom(labels.severity, labels.priority),
    at: startsAt,
  };
}

function serviceIn(labels: Readonly<Record<string, string>>): string | null {
  const own = Object.fromEntries(Object.entries(labels).filter(([, value]) => !exporters.test(value)));
  return firstOf(own, serviceLabels) ?? firstOf(own, workloadLabels);
}

function firstOf(labels: Readonly<Record<string, string>>, names: readonly string[]): string | null {
  return names.map((name) => nameFrom(labels[name])).find((value) => value !== null) ?? null;
}
