import type { Alert } from "../../signals/inputs/alert.ts";
import { fieldOf, objectOf, objectsOf, textOf } from "../json/fields.ts";
import type { JsonNode, JsonObject } from "../json/json-reader.ts";
import { readTime } from "../records/time.ts";

/** An alert without its position in the text. */
export type ReadAlert = Omit<Alert, "source" | "printed">;

/** Reads what one monitoring system posts to a webhook. */
interface AlertFormat {
  /** The name of its row in docs/formats.md, and of the alert's system. */
  readonly name: string;
  readonly read: (root: JsonObject) => readonly Partial<ReadAlert>[];
}

const labelsMax = 60;

/** Tried in this order: Grafana extends Alertmanager's format with fields of its own. */
export const jsonAlertFormats: readonly AlertFormat[] = [
  { name: "Grafana", read: readGrafana },
  { name: "Prometheus Alertmanager", read: readAlertmanager },
  { name: "Amazon CloudWatch", read: readCloudWatch },
  { name: "PagerDuty", read: readPagerDuty },
  { name: "Opsgenie", read: readOpsgenie },
  { name: "Sentry", read: readSentry },
  { name: "Datadog", read: readDatadog },
];

/** Returns the alerts in an object, read in the first format that it fits; empty for any other object. */
export function readJsonAlerts(root: JsonObject): ReadAlert[] {
  for (const { name, read } of jsonAlertFormats) {
    const found = read(root).filter((alert) => alert.name !== undefined && alert.name !== "");
    if (found.length > 0) return found.map((alert) => complete(name, alert));
  }
  return [];
}

function complete(system: string, alert: Partial<ReadAlert>): ReadAlert {
  const name = alert.name ?? "";
  return {
    system,
    name,
    status: alert.status ?? null,
    severity: alert.severity ?? alert.labels?.severity ?? alert.labels?.priority ?? null,
    summary: alert.summary ?? name,
    startedAt: alert.startedAt ?? null,
    labels: alert.labels ?? {},
  };
}

function readAlertmanager(root: JsonObject): Partial<ReadAlert>[] {
  const alerts = objectsOf(fieldOf(root, ["alerts"]));
  const own = objectOf(root, ["labels"]);
  return (alerts.length > 0 ? alerts : own ? [root] : []).map(readPrometheusAlert);
}

function readPrometheusAlert(alert: JsonObject): Partial<ReadAlert> {
  const labels = labelsOf(fieldOf(alert, ["labels"]));
  const said = objectOf(alert, ["annotations"]);
  return {
    ...optional("name", labels.alertname ?? null),
    status: textOf(alert, ["status", "status.state", "state"]),
    ...optional("summary", said && sentenceOf(said)),
    startedAt: readTime(textOf(alert, ["startsAt", "activeAt"])),
    labels,
  };
}

function sentenceOf(said: JsonObject): string | null {
  const parts = [textOf(said, ["summary", "message", "title"]), textOf(said, ["description"])].filter(
    (part) => part !== null,
  );
  return parts.length > 0 ? parts.join(": ") : null;
}

function readGrafana(root: JsonObject): Partial<ReadAlert>[] {
  const isUnified = root.entries.has("orgId") && root.entries.has("alerts");
  if (isUnified) return readAlertmanager(root);
  const name = textOf(root, ["ruleName"]);
  if (name === null || !root.entries.has("evalMatches")) return [];
  const matches = objectsOf(fieldOf(root, ["evalMatches"]));
  const labels = Object.fromEntries(
    matches.map((match) => [textOf(match, ["metric"]) ?? "value", textOf(match, ["value"]) ?? ""]),
  );
  return [
    { name, status: textOf(root, ["state"]), ...optional("summary", textOf(root, ["message", "title"])), labels },
  ];
}

function readCloudWatch(root: JsonObject): Partial<ReadAlert>[] {
  const detail = objectOf(root, ["detail"]) ?? root;
  const name = textOf(detail, ["AlarmName", "alarmName"]);
  if (name === null) return [];
  const trigger = objectOf(detail, ["Trigger"]);
  const dimensions = objectsOf(trigger && fieldOf(trigger, ["Dimensions"]));
  const labels: Record<string, string> = Object.fromEntries(
    dimensions.map((dimension) => [
      textOf(dimension, ["name", "Name"]) ?? "",
      textOf(dimension, ["value", "Value"]) ?? "",
    ]),
  );
  for (const key of ["MetricName", "Namespace", "Threshold"]) {
    const value = trigger && textOf(trigger, [key]);
    if (value) labels[key] = value;
  }
  return [
    {
      name,
      status: textOf(detail, ["NewStateValue", "state.value"]),
      ...optional("summary", textOf(detail, ["NewStateReason", "state.reason", "AlarmDescription"])),
      startedAt: readTime(textOf(detail, ["StateChangeTime", "state.timestamp"])),
      labels,
    },
  ];
}

function readPagerDuty(root: JsonObject): Partial<ReadAlert>[] {
  const event = objectOf(root, ["event"]);
  const data = event && root.entries.size <= 3 ? objectOf(event, ["data"]) : null;
  if (event && data && textOf(event, ["event_type"])) {
    const labels = pick(data, { service: "service.summary", urgency: "urgency", number: "number" });
    const severity = textOf(data, ["priority.summary", "urgency"]);
    return [
      {
        ...optional("name", textOf(data, ["title", "summary"])),
        status: textOf(data, ["status"]),
        severity,
        startedAt: readTime(textOf(data, ["created_at"])),
        labels,
      },
    ];
  }
  const payload = objectOf(root, ["payload"]);
  if (!payload || !root.entries.has("event_action")) return [];
  const labels = pick(payload, { source: "source", component: "component", group: "group", class: "class" });
  return [
    {
      ...optional("name", textOf(payload, ["summary"])),
      status: textOf(root, ["event_action"]),
      severity: textOf(payload, ["severity"]),
      startedAt: readTime(textOf(payload, ["timestamp"])),
      labels,
    },
  ];
}

function readOpsgenie(root: JsonObject): Partial<ReadAlert>[] {
  const alert = objectOf(root, ["alert"]);
  if (!alert || !(alert.entries.has("alertId") || alert.entries.has("alias") || alert.entries.has("tinyId"))) return [];
  return [
    {
      ...optional("name", textOf(alert, ["message"])),
      status: textOf(root, ["action"]),
      severity: textOf(alert, ["priority"]),
      ...optional("summary", textOf(alert, ["description", "message"])),
      startedAt: readTime(Number(textOf(alert, ["createdAt"]))),
      labels: { ...labelsOf(fieldOf(alert, ["details"])), ...pick(alert, { entity: "entity", source: "source" }) },
    },
  ];
}

function readSentry(root: JsonObject): Partial<ReadAlert>[] {
  const data = objectOf(root, ["data"]);
  const event = data && (objectOf(data, ["event", "error", "issue"]) ?? null);
  const own = root.entries.has("culprit") && root.entries.has("project") ? root : null;
  const subject = event ?? own;
  if (!subject || !(subject.entries.has("culprit") || subject.entries.has("event_id"))) return [];
  return [
    {
      ...optional("name", textOf(subject, ["title", "message"])),
      status: textOf(root, ["action"]),
      severity: textOf(subject, ["level"]),
      startedAt: readTime(textOf(subject, ["datetime", "firstSeen"])),
      labels: pick(subject, {
        culprit: "culprit",
        environment: "environment",
        release: "release",
        platform: "platform",
        project: "project",
      }),
    },
  ];
}

function readDatadog(root: JsonObject): Partial<ReadAlert>[] {
  const isDatadog = ["alert_type", "alert_transition", "alert_id", "alert_title"].some((name) =>
    root.entries.has(name),
  );
  if (!isDatadog) return [];
  const labels = pick(root, { host: "hostname", priority: "priority", query: "alert_query", metric: "alert_metric" });
  for (const tag of (textOf(root, ["tags"]) ?? "").split(/, ?/, labelsMax)) {
    const colon = tag.indexOf(":");
    if (colon > 0) labels[tag.slice(0, colon)] = tag.slice(colon + 1);
  }
  return [
    {
      ...optional("name", textOf(root, ["alert_title", "title", "event_title"])),
      status: textOf(root, ["alert_transition", "alert_status"]),
      severity: textOf(root, ["alert_type", "priority"]),
      ...optional("summary", textOf(root, ["body", "text_only_msg", "event_msg"])),
      startedAt: readTime(Number(textOf(root, ["date", "last_updated"]))),
      labels,
    },
  ];
}

function labelsOf(node: JsonNode | null): Record<string, string> {
  if (node?.kind !== "object") return {};
  const labels: Record<string, string> = {};
  for (const [name, value] of [...node.entries].slice(0, labelsMax)) {
    if (name !== "__proto__" && (value.kind === "string" || value.kind === "plain")) labels[name] = String(value.value);
  }
  return labels;
}

function pick(object: JsonObject, names: Readonly<Record<string, string>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [label, name] of Object.entries(names)) {
    const value = textOf(object, [name]);
    if (value !== null) picked[label] = value;
  }
  return picked;
}

function optional<Name extends string>(name: Name, value: string | null): { [key in Name]?: string } {
  const made: { [key in Name]?: string } = {};
  if (value !== null) made[name] = value;
  return made;
}
