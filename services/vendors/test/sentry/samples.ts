const base = {
  actor: { id: "sentry", name: "Sentry", type: "application" },
  installation: { uuid: "6f0c0f5e-9a4b-4a39-8c5e-0b6b6f6f1c11" },
};

const frame = (function_: string, path: string, lineno: number, context_line: string | null = null, colno = 9) => ({
  ...{ function: function_, abs_path: path, filename: path.split("/").pop(), lineno, colno, context_line },
  ...{ in_app: true, module: null, vars: { secret: "not for Whence" } },
});

/** An event of a Python program: a `KeyError`, and the `CheckoutError` that was raised from it. */
export const pythonEvent = {
  event_id: "e4874d664c3540c1a32eab185f12c5ab",
  issue_id: "1117540176",
  issue_url: "https://sentry.io/api/0/issues/1117540176/",
  url: "https://sentry.io/api/0/projects/acme/checkout/events/e4874d664c3540c1a32eab185f12c5ab/",
  web_url: "https://sentry.io/organizations/acme/issues/1117540176/events/e4874d664c3540c1a32eab185f12c5ab/",
  title: "CheckoutError: no rate for DE",
  message: "",
  datetime: "2026-03-01T11:58:03.157000Z",
  level: "error",
  platform: "python",
  culprit: "checkout.views in total",
  release: "checkout@2.1.0",
  environment: "production",
  exception: {
    values: [
      {
        type: "KeyError",
        value: "'DE'",
        mechanism: { type: "chained", source: "__cause__" },
        stacktrace: { frames: [frame("rate_of", "/srv/checkout/rates.py", 12, "    return RATES[country]")] },
      },
      {
        type: "CheckoutError",
        value: "no rate for DE",
        mechanism: { type: "generic", handled: false },
        stacktrace: {
          frames: [
            frame("total", "/srv/checkout/views.py", 31, "    return with_tax(cart)"),
            frame("with_tax", "/srv/checkout/tax.py", 8, "    raise CheckoutError(message) from error"),
          ],
        },
      },
    ],
  },
  tags: [
    ["server_name", "web-1"],
    ["user", "ip:203.0.113.7"],
    ["environment", "production"],
  ],
};

/** The same in the program's other half, which runs on Node.js. */
export const nodeEvent = {
  ...pythonEvent,
  platform: "node",
  title: "TypeError: Cannot read properties of undefined (reading 'rate')",
  environment: null,
  exception: {
    values: [
      {
        type: "TypeError",
        value: "Cannot read properties of undefined (reading 'rate')",
        stacktrace: {
          frames: [
            frame("handle", "/srv/checkout/server.js", 40),
            frame("withTax", "/srv/checkout/tax.js", 8, null, 21),
          ],
        },
      },
    ],
  },
};

/** https://docs.sentry.io/integrations/integration-platform/webhooks/issue-alerts/ */
export const eventAlert = (event: object): object => ({
  ...base,
  action: "triggered",
  data: { event, triggered_rule: "Errors in checkout" },
});

/** https://docs.sentry.io/integrations/integration-platform/webhooks/errors/ */
export const errorHook = { ...base, action: "created", data: { error: pythonEvent } };

/** https://docs.sentry.io/integrations/integration-platform/webhooks/issues/ */
export const issueHook = (action: string, issueCategory = "error", about: object = {}): object => ({
  ...base,
  action,
  data: {
    issue: {
      id: "1117540176",
      shortId: "CHECKOUT-7",
      title: "CheckoutError: no rate for DE",
      culprit: "checkout.views in total",
      level: "fatal",
      status: "unresolved",
      substatus: "new",
      web_url: "https://acme.sentry.io/issues/1117540176/",
      project: { id: "1", name: "Checkout", slug: "checkout", platform: "python" },
      issueCategory,
      firstSeen: "2026-03-01T11:58:03.157000+00:00",
      lastSeen: "2026-03-01T11:59:03.157000+00:00",
      ...about,
    },
  },
});

/** https://docs.sentry.io/integrations/integration-platform/webhooks/metric-alerts/ */
export const metricHook = (action: string): object => ({
  ...base,
  action,
  data: {
    description_text: "1000 events in the last 10 minutes",
    description_title: "Critical: Too many errors",
    web_url: "https://sentry.io/organizations/acme/alerts/1/",
    metric_alert: {
      id: "4",
      identifier: "1",
      date_started: "2026-03-01T11:50:00.000000Z",
      projects: ["checkout"],
      alert_rule: { name: "Too many errors", environment: "production", aggregate: "count()", query: "level:error" },
    },
  },
});

/** https://docs.sentry.io/integrations/integration-platform/webhooks/installation/ */
export const installationHook = {
  ...base,
  action: "created",
  data: { installation: { uuid: base.installation.uuid, status: "installed", app: { slug: "whence" } } },
};
