/** One alert of a group. */
const alert = {
  status: "firing",
  labels: { alertname: "HighErrorRate", service: "checkout", env: "production", severity: "critical" },
  annotations: {
    summary: "5xx above 5%",
    description: "7.3% of the requests to checkout failed in 5 minutes",
    runbook_url: "https://wiki.example.com/runbooks/checkout",
  },
  startsAt: "2026-03-01T11:58:03.157076123Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "https://prometheus.example.com/graph?g0.expr=errors&g0.tab=1",
  fingerprint: "c6eadffa33fcdf37",
};

const group = {
  receiver: "whence",
  status: "firing",
  groupLabels: { alertname: "HighErrorRate" },
  commonLabels: { alertname: "HighErrorRate" },
  commonAnnotations: {},
  groupKey: '{}:{alertname="HighErrorRate"}',
  truncatedAlerts: 0,
};

/** https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export const alertmanagerGroup = {
  ...group,
  version: "4",
  externalURL: "https://alertmanager.example.com",
  alerts: [
    alert,
    {
      ...alert,
      status: "resolved",
      labels: { alertname: "SlowQueue", job: "billing", environment: "staging", severity: "warning" },
      annotations: {},
      endsAt: "2026-03-01T11:59:00Z",
      fingerprint: "bc97ff14869b13e3",
    },
  ],
};

/** https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/ */
export const grafanaGroup = {
  ...group,
  version: "1",
  orgId: 1,
  externalURL: "https://grafana.example.com/",
  title: "[FIRING:1] HighErrorRate",
  state: "alerting",
  message: "**Firing**",
  alerts: [
    {
      ...alert,
      startsAt: "2026-03-01T12:58:03.157076+01:00",
      generatorURL: "https://grafana.example.com/alerting/1afz29v7z/edit",
      silenceURL: "https://grafana.example.com/alerting/silence/new",
      dashboardURL: "https://grafana.example.com/d/checkout",
      panelURL: "https://grafana.example.com/d/checkout?viewPanel=4",
      imageURL: "https://grafana.example.com/render/4.png",
      values: { B: 7.3, C: 1 },
    },
  ],
};
