import type { Fault } from "../fault.ts";

/** New releases that contain a mistake. */
export const badReleases: readonly Fault[] = [
  {
    name: "rare-input",
    plays: "a release of orders assumes that every order has an address, and some orders are picked up",
    inject: [
      {
        kind: "deploy",
        service: "orders",
        edits: [
          {
            file: "orders/place-order.ts",
            find: "if (address) sendParcel(id, quantity, address);",
            replace: `const { city, ...rest } = address as Address;
  sendParcel(id, quantity, { ...rest, city: city.trim() });`,
          },
        ],
      },
    ],
    causedBy: "orders",
    categories: ["null-dereference", "deploy-regression", "data-validation"],
    files: ["orders/place-order.ts"],
    decoys: [{ kind: "deploy", service: "catalog" }],
  },
  {
    name: "cache-miss",
    plays: "a release of catalog caches recent products, and doesn't handle a cache miss",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/products.ts",
            find: "  return (await products()).get(sku);",
            replace: `  if (Date.now() - clearedAt > config.reloadMs) {
    recent.clear();
    clearedAt = Date.now();
  }
  const product = recent.get(sku) ?? null;
  if (product === null) void products().then((all) => remember(all.get(sku)));
  return { ...product, cents: product.cents };`,
          },
          {
            file: "catalog/products.ts",
            find: "let readAt = 0;",
            replace: `let readAt = 0;

const recent = new Map();
let clearedAt = 0;

function remember(product) {
  if (product) recent.set(product.sku, product);
}`,
          },
        ],
      },
    ],
    causedBy: "catalog",
    categories: ["null-dereference", "deploy-regression"],
    files: ["catalog/products.ts"],
    decoys: [],
  },
  {
    name: "double-refund",
    plays:
      "a release of payments writes the audit trail between the check and the refund, and some customers click twice",
    inject: [
      {
        kind: "deploy",
        service: "payments",
        edits: [
          {
            file: "payments/refunds.ts",
            find: "  const refunded = giveBack(payment);\n  recordAudit",
            replace: "  await recordAudit",
          },
          { file: "payments/refunds.ts", find: "return refunded;", replace: "return giveBack(payment);" },
        ],
      },
    ],
    causedBy: "payments",
    categories: ["concurrency", "deploy-regression"],
    files: ["payments/refunds.ts"],
    decoys: [{ kind: "noise", source: "feedback", since: "start" }],
  },
  {
    name: "renamed-field",
    plays: "a release of payments renames a field of its responses, and storefront reads the old name",
    inject: [
      {
        kind: "deploy",
        service: "payments",
        edits: [{ file: "payments/payment-body.ts", find: "status, amount };", replace: "status, total: amount };" }],
      },
    ],
    causedBy: "payments",
    categories: ["schema-drift", "upstream-bad-response", "breaking-upgrade"],
    files: ["storefront/payments-client.ts", "payments/payment-body.ts"],
    decoys: [
      { kind: "symptom", service: "storefront" },
      { kind: "noise", source: "scans", since: "fault" },
    ],
  },
  {
    name: "price-as-text",
    plays: "a release of catalog sends prices as strings, which orders passes on and payments rejects",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/routes.ts",
            find: "return send(response, 200, product);",
            replace: "return send(response, 200, { ...product, cents: (product.cents / 100).toFixed(2) });",
          },
        ],
      },
    ],
    causedBy: "catalog",
    categories: ["schema-drift", "type-mismatch", "data-validation", "upstream-bad-response", "deploy-regression"],
    files: ["catalog/routes.ts"],
    decoys: [{ kind: "symptom", service: "payments" }],
  },
  {
    name: "lost-module",
    plays: "a release of catalog imports a file that isn't in its image, and never starts",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/search.ts",
            find: `import { products } from "./products.ts";`,
            replace: `import { products } from "./products.ts";\nimport { synonyms } from "./synonyms.ts";\n\nexport { synonyms };`,
          },
        ],
      },
    ],
    causedBy: "catalog",
    categories: ["module-resolution", "deploy-regression"],
    files: ["catalog/search.ts"],
    decoys: [],
  },
  {
    name: "new-major-version",
    plays: "a release of storefront upgrades a framework that no longer has a method that a route calls",
    inject: [
      {
        kind: "deploy",
        service: "storefront",
        edits: [
          {
            file: "storefront/routes.ts",
            find: "response.json(await fetchParcel(request.params.id));",
            replace: `response.json(await fetchParcel(request.param("id")));`,
          },
        ],
      },
    ],
    causedBy: "storefront",
    categories: ["breaking-upgrade", "deploy-regression", "type-mismatch"],
    files: ["storefront/routes.ts"],
    decoys: [],
  },
  {
    name: "endless-recursion",
    plays: "a release of catalog walks up the product groups, and two of them are each other's parent",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/search.ts",
            find: "function pageNumbers",
            replace: `const parents = new Map([["brewing", "kitchen"], ["kitchen", "brewing"]]);

function groupPath(group) {
  const parent = parents.get(group);
  return parent === undefined ? group : \`\${groupPath(parent)}/\${group}\`;
}

function pageNumbers`,
          },
          {
            file: "catalog/search.ts",
            find: "return { products: found.slice(first, first + pageSize),",
            replace:
              "return { products: found.slice(first, first + pageSize).map((product) => ({ ...product, path: groupPath(product.group) })),",
          },
        ],
      },
    ],
    causedBy: "catalog",
    categories: ["infinite-loop", "resource-exhaustion", "deploy-regression"],
    files: ["catalog/search.ts"],
    decoys: [{ kind: "noise", source: "webhooks", since: "start" }],
  },
  {
    name: "nothing-found",
    plays: "a release of catalog counts pages one too low, so a search without results has -1 pages",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/search.ts",
            find: "Array.from({ length: Math.ceil(found / pageSize) }, (_, index) => index + 1)",
            replace: "[...new Array(Math.ceil(found / pageSize) - 1).keys()]",
          },
        ],
      },
    ],
    causedBy: "catalog",
    categories: ["boundary", "deploy-regression"],
    files: ["catalog/search.ts"],
    decoys: [],
  },
  {
    name: "busy-thread",
    plays: "a release of catalog signs prices on its only thread, so requests for a price time out",
    inject: [
      {
        kind: "deploy",
        service: "catalog",
        edits: [
          {
            file: "catalog/products.ts",
            find: "  return (await products()).get(sku);",
            replace: `  const product = (await products()).get(sku);
  if (product?.group !== "brewing") return product;
  return { ...product, signature: pbkdf2Sync(product.name, "prices", 4_000_000, 32, "sha512").toString("hex") };`,
          },
          {
            file: "catalog/products.ts",
            find: `import { config } from`,
            replace: `import { pbkdf2Sync } from "node:crypto";\nimport { config } from`,
          },
        ],
      },
    ],
    settings: { orders: { UPSTREAM_TIMEOUT_MS: "1500" } },
    causedBy: "catalog",
    categories: ["timeout", "resource-exhaustion", "infinite-loop", "dependency-outage"],
    files: [],
    decoys: [{ kind: "symptom", service: "orders" }],
  },
  {
    name: "retry-storm",
    plays: "a release of orders submits each parcel many times at once, and the carrier throttles shipping",
    inject: [
      {
        kind: "deploy",
        service: "orders",
        edits: [
          {
            file: "orders/parcels.ts",
            find: "await handOver(parcel);",
            replace: "await Promise.all(Array.from({ length: 20 }, () => handOver(parcel)));",
          },
        ],
      },
    ],
    causedBy: "orders",
    categories: ["resource-exhaustion", "upstream-bad-response", "deploy-regression", "dependency-outage"],
    files: ["orders/parcels.ts"],
    decoys: [{ kind: "symptom", service: "shipping" }],
  },
];
