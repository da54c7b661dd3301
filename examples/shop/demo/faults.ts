import type { Category } from "@whence/protocol";
import type { Customer } from "./customer.ts";
import type { Deploy } from "./next-release.ts";
import type { Changes, ShopService } from "./shop.ts";

/** A failure that can be switched on, and what a good report says about it. */
export interface Fault {
  readonly name: string;
  /** What happens, in a sentence without its period. */
  readonly plays: string;
  /** The differences from a healthy shop. Without a release, the mistake is always in the code. */
  readonly changes: Changes;
  /** A release that is deployed after a customer was served by the one before. */
  readonly deploy?: Deploy;
  /** Makes a customer act until the fault shows. */
  trigger(customer: Customer): Promise<void>;
  /** The service that throws. */
  readonly service: ShopService;
  /** Whether that service's process dies of it. */
  readonly crashes: boolean;
  /** The categories that count as right. */
  readonly categories: readonly Category[];
  /** The place of the mistake. */
  readonly mistake: Mistake;
  /** Matches how the headline names the change in a release. */
  readonly change?: RegExp;
}

/** The file with the mistake, or what a service left out or answered: a variable of its environment, a status. */
export interface Mistake {
  readonly file: string;
  readonly missing?: { readonly service: ShopService; readonly name: string };
}

const connectionsOfOrders = 4;

/** Faults of different kinds. The mistake is in another file, or in another service, than the throw. */
export const faults: readonly Fault[] = [
  {
    name: "html-answer",
    plays: "payments is in maintenance and answers an HTML page, which orders reads as JSON",
    changes: { payments: { MAINTENANCE: "on" } },
    async trigger(customer) {
      await customer.buys("beans", 502);
    },
    service: "orders",
    crashes: false,
    categories: ["upstream-bad-response", "parse-error"],
    mistake: { file: "orders/post-json.ts", missing: { service: "payments", name: "503" } },
  },
  {
    name: "missing-variable",
    plays: "payments was deployed without RECEIPT_SIGNING_KEY",
    changes: { payments: { RECEIPT_SIGNING_KEY: undefined } },
    async trigger(customer) {
      await customer.wantsReceipt(await customer.buys("beans"), 502);
    },
    service: "payments",
    crashes: false,
    categories: ["bad-config"],
    mistake: { file: "payments/config.ts", missing: { service: "payments", name: "RECEIPT_SIGNING_KEY" } },
  },
  {
    name: "forgotten-await",
    plays: "payments does not await its audit trail, whose folder is gone",
    changes: { payments: { AUDIT_DIRECTORY: "./a-volume-that-is-not-mounted" } },
    async trigger(customer) {
      await customer.returnsGoods(await customer.buys("beans"));
    },
    service: "payments",
    crashes: true,
    categories: ["missing-await", "unhandled-rejection"],
    mistake: { file: "payments/refunds.ts" },
  },
  {
    name: "dry-pool",
    plays: "orders keeps a database connection for good whenever something is sold out",
    changes: {},
    async trigger(customer) {
      const orderId = await customer.buys("beans");
      for (let sold = 0; sold < connectionsOfOrders; sold++) await customer.buys("espresso-machine", 409);
      await customer.opens(orderId, 502);
    },
    service: "orders",
    crashes: false,
    categories: ["resource-exhaustion", "timeout"],
    mistake: { file: "orders/stock.ts" },
  },
  {
    name: "changed-query",
    plays: "discounts 2.0.0 changes a query that found a row for every product, and reads its result unchecked",
    changes: {},
    deploy: {
      service: "discounts",
      file: "discounts/campaigns.py",
      find: "product_group IN (?, 'any')",
      replace: "product_group = ?",
      subject: "Ask only for the campaigns of the group",
    },
    async trigger(customer) {
      await customer.buys("kettle", 502);
    },
    service: "discounts",
    crashes: false,
    categories: ["null-dereference", "schema-drift", "deploy-regression"],
    mistake: { file: "campaigns.py" },
  },
  // Last, because its release would be close to whatever fails after it.
  {
    name: "changed-body",
    plays: "payments 2.0.0 renames a field of its answers, and storefront still reads the old one",
    changes: {},
    deploy: {
      service: "payments",
      file: "payments/payment-body.ts",
      find: "status, amount };",
      replace: "status, total: amount };",
      subject: "Call the amount of a payment its total",
    },
    async trigger(customer) {
      await customer.opens(await customer.buys("beans"), 500);
    },
    service: "storefront",
    crashes: false,
    categories: ["null-dereference", "schema-drift", "upstream-bad-response"],
    mistake: { file: "payment-body.ts" },
    change: /`payments` 2\.0\.0 renamed `amount` to `total` in `payment-body\.ts:\d+`/,
  },
];
