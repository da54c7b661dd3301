import type { OutsideFinding } from "@whence/protocol";
import { at } from "./failures.ts";

type Of<Kind extends OutsideFinding["kind"]> = Extract<OutsideFinding, { readonly kind: Kind }>;

const page = (vendor: string): string => `https://${vendor.toLowerCase().replace(/\W+/g, "")}.example/1`;

/** Something that Ada changed 40 seconds before the failure, by default. */
export function change(
  vendor: string,
  what: Of<"change-event">["what"],
  changes: Partial<Of<"change-event">> = {},
): Of<"change-event"> {
  return {
    ...{
      kind: "change-event",
      vendor,
      what,
      title: "a change",
      target: "orders",
      at: at(-40),
      by: "Ada",
      failed: null,
    },
    ...{ url: page(vendor), ...changes },
  };
}

/** Something that hasn't been well since 20 seconds before the failure, by default. */
export function problem(
  vendor: string,
  what: Of<"problem">["what"],
  changes: Partial<Of<"problem">> = {},
): Of<"problem"> {
  return {
    ...{ kind: "problem", vendor, what, title: "a problem", target: "orders", since: at(-20), until: null },
    ...{ url: page(vendor), ...changes },
  };
}

/** An error line of a second before the failure, by default. */
export function log(vendor: string, message: string, changes: Partial<Of<"log">> = {}): Of<"log"> {
  return {
    ...{ kind: "log", vendor, level: "error", message, source: "orders", at: at(-1), count: 1 },
    ...{ url: page(vendor), ...changes },
  };
}

export function record(
  vendor: string,
  what: Of<"record">["what"],
  title: string,
  changes: Partial<Of<"record">> = {},
): Of<"record"> {
  return { kind: "record", vendor, what, title, target: null, at: null, url: page(vendor), ...changes };
}

/** Findings about other things, as an organization's accounts are full of them. */
export const unrelated: readonly OutsideFinding[] = [
  change("Vercel", "deployment", { target: "marketing-site", title: "New landing page", by: "Bo" }),
  change("Cloudflare", "dns", { target: "acme.io", title: "CNAME record of blog.acme.io", at: at(-15) }),
  change("Cloudflare", "firewall", { target: "shop.acme.io", title: "Block bots", at: at(-90) }),
  change("GitHub", "release", { target: "acme/search", title: "search 4.0.0", at: at(-120), by: null }),
  problem("Kubernetes", "out-of-memory", { target: "prod/search-7c9d6b5f8-q4z7w", title: "OOMKilled" }),
  problem("Kubernetes", "crash-loop", { target: "prod/reports-0", title: "CrashLoopBackOff", since: at(-600) }),
  problem("CloudWatch", "alarm", { target: "warehouse-db", title: "CPUUtilization is above 90" }),
  problem("PagerDuty", "incident", { target: "Billing", title: "Invoices are late", since: at(-1_800) }),
  log("Loki", "the index of articles is stale", { source: "search" }),
  record("Sentry", "error-group", "SEARCH-7: IndexError: no such shard", { target: "search" }),
];
