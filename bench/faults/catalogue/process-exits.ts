import type { Fault } from "../fault.ts";

/**
 * Time from the exit until it must have been reported: the service waits for three and a half minutes, checks every 30
 * s, and then investigates.
 */
const missedSeconds = 255;
/** A heap that grows by about a megabyte per second is full after two minutes, or later on a busy machine. */
const leakSecondsMax = 300;

/** Processes that exit or hang without reporting it. */
export const processExits: readonly Fault[] = [
  {
    name: "scaled-to-zero",
    plays: "catalog shuts down and isn't restarted",
    inject: [{ kind: "signal", service: "catalog", signal: "SIGTERM" }],
    causedBy: "catalog",
    categories: ["dependency-outage", "network-unreachable"],
    files: [],
    decoys: [{ kind: "symptom", service: "storefront" }],
  },
  {
    name: "killed",
    plays: "shipping is killed by SIGKILL and isn't restarted",
    inject: [{ kind: "signal", service: "shipping", signal: "SIGKILL" }],
    causedBy: "shipping",
    categories: ["dependency-outage", "resource-exhaustion", "network-unreachable"],
    files: [],
    decoys: [{ kind: "symptom", service: "orders" }],
    watchSeconds: missedSeconds,
  },
  {
    name: "hung",
    plays: "catalog hangs: it accepts connections and never answers",
    inject: [{ kind: "signal", service: "catalog", signal: "SIGSTOP" }],
    causedBy: "catalog",
    categories: ["timeout", "dependency-outage", "infinite-loop"],
    files: [],
    decoys: [{ kind: "symptom", service: "orders" }],
    watchSeconds: missedSeconds,
  },
  {
    name: "out-of-memory",
    plays: "a release of storefront keeps every page that it ever rendered, until its heap is full",
    inject: [
      {
        kind: "deploy",
        service: "storefront",
        edits: [
          {
            file: "storefront/product-page.ts",
            find: "export function productPage(",
            replace: "const madePages = [];\n\nexport function productPage(",
          },
          {
            file: "storefront/product-page.ts",
            find: "  const rows = products.map(",
            replace: `  madePages.push(Array.from({ length: 15_000 }, (_, index) => \`\${index} \${greeting}\`));
  const rows = products.map(`,
          },
        ],
        settings: { NODE_OPTIONS: "--max-old-space-size=160" },
      },
    ],
    causedBy: "storefront",
    categories: ["resource-exhaustion"],
    files: ["storefront/product-page.ts"],
    decoys: [{ kind: "noise", source: "scans", since: "start" }],
    diesWithinSeconds: leakSecondsMax,
    watchSeconds: missedSeconds,
  },
];
