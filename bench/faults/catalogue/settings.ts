import type { Fault } from "../fault.ts";

/** Restarts of the same code with other settings or in another environment. */
export const badSettings: readonly Fault[] = [
  {
    name: "wrong-host",
    plays: "orders is restarted with a payments host that doesn't exist",
    inject: [
      { kind: "restart", service: "orders", settings: { PAYMENTS_URL: "http://payment-v2.internal.invalid:8080" } },
    ],
    causedBy: "orders",
    categories: ["bad-config", "network-unreachable"],
    files: [],
    decoys: [{ kind: "deploy", service: "payments" }],
  },
  {
    name: "missing-variable",
    plays: "payments is restarted without its signing key",
    inject: [{ kind: "restart", service: "payments", settings: { RECEIPT_SIGNING_KEY: undefined } }],
    causedBy: "payments",
    categories: ["bad-config"],
    files: ["payments/config.ts"],
    decoys: [{ kind: "noise", source: "suggestions", since: "start" }],
  },
  {
    name: "unmounted-volume",
    plays: "payments is restarted without its volume, and crashes on each audit write that isn't awaited",
    inject: [{ kind: "restart", service: "payments", settings: { AUDIT_DIRECTORY: "/var/lib/shop/audit-volume" } }],
    causedBy: "payments",
    categories: ["missing-await", "unhandled-rejection", "filesystem", "bad-config"],
    files: ["payments/refunds.ts"],
    decoys: [],
  },
  {
    name: "maintenance",
    plays: "payments is restarted in maintenance mode, and serves an HTML page that orders parses as JSON",
    inject: [{ kind: "restart", service: "payments", settings: { MAINTENANCE: "on" } }],
    causedBy: "payments",
    categories: ["upstream-bad-response", "parse-error", "dependency-outage"],
    files: ["orders/post-json.ts"],
    decoys: [{ kind: "symptom", service: "orders" }],
  },
  {
    name: "hardened",
    plays: "shipping is restarted with permissions that don't allow writing its manifest",
    inject: [
      {
        kind: "restart",
        service: "shipping",
        settings: { NODE_OPTIONS: "--permission --allow-fs-read=* --allow-worker --allow-net" },
      },
    ],
    causedBy: "shipping",
    categories: ["permission", "filesystem", "bad-config"],
    files: [],
    decoys: [],
  },
  {
    name: "full-disk",
    plays: "the disk with the manifest of shipping is full",
    inject: [{ kind: "link", file: "manifest.txt", to: "/dev/full" }],
    causedBy: "shipping",
    categories: ["filesystem", "resource-exhaustion"],
    files: [],
    decoys: [{ kind: "noise", source: "webhooks", since: "fault" }],
  },
  {
    name: "broken-file",
    plays: "the products file was only partly written",
    inject: [
      { kind: "file", file: "catalog/products.json", content: `[\n  { "sku": "beans", "name": "Beans from Hueh` },
    ],
    causedBy: "catalog",
    categories: ["parse-error", "filesystem"],
    files: ["catalog/products.json"],
    decoys: [],
  },
];
