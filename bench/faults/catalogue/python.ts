import type { Fault } from "../fault.ts";

/** Faults of the service in Python, and of a service in Node that it calls. */
export const faultsOfPython: readonly Fault[] = [
  {
    name: "changed-query",
    plays: "a release of discounts changes a query that found a row for every product, and reads its result unchecked",
    inject: [
      {
        kind: "deploy",
        service: "discounts",
        edits: [{ file: "discounts/campaigns.py", find: "product_group IN (?, 'any')", replace: "product_group = ?" }],
      },
    ],
    causedBy: "discounts",
    categories: ["null-dereference", "deploy-regression"],
    files: ["discounts/campaigns.py"],
    decoys: [{ kind: "noise", source: "webhooks", since: "start" }],
  },
  {
    name: "missing-setting",
    plays: "a release of discounts reads a new variable that isn't set, and never starts",
    inject: [
      {
        kind: "deploy",
        service: "discounts",
        edits: [
          {
            file: "discounts/config.py",
            find: "    upstream_timeout_s: float\n",
            replace: "    upstream_timeout_s: float\n    partner_key: str\n",
          },
          {
            file: "discounts/config.py",
            find: " / 1000,\n",
            replace: ` / 1000,\n    partner_key=os.environ["PARTNER_KEY"],\n`,
          },
        ],
      },
    ],
    causedBy: "discounts",
    categories: ["bad-config", "deploy-regression"],
    files: ["discounts/config.py"],
    decoys: [],
  },
  {
    name: "regrouped-products",
    plays: "a release of catalog renames the group of a product, which discounts reads by its old name",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/routes.ts",
            find: "return send(response, 200, product);",
            replace: "const { group, ...rest } = product;\n  return send(response, 200, { ...rest, category: group });",
          },
        ],
      },
    ],
    causedBy: "catalog",
    categories: ["schema-drift", "upstream-bad-response", "breaking-upgrade", "deploy-regression"],
    files: ["catalog/routes.ts", "discounts/catalog_client.py"],
    decoys: [{ kind: "symptom", service: "discounts" }],
  },
];
