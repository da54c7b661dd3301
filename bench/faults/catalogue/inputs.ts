import type { Fault } from "../fault.ts";

/** Unusual inputs: nothing was changed, but customers do what they never did before. */
export const rareInputs: readonly Fault[] = [
  {
    name: "old-cookie",
    plays: "customers return with a cookie in another encoding",
    inject: [{ kind: "customers", habit: "has-an-old-cookie" }],
    causedBy: "storefront",
    categories: ["encoding", "data-validation", "parse-error"],
    files: ["storefront/greeting.ts"],
    decoys: [],
  },
  {
    name: "poison-parcel",
    plays: "an address without a postcode makes shipping throw, and orders retries that parcel forever",
    inject: [{ kind: "customers", habit: "leaves-out-the-postcode" }],
    causedBy: "shipping",
    categories: ["null-dereference", "data-validation"],
    files: ["shipping/address.ts"],
    decoys: [],
  },
  {
    name: "dry-pool",
    plays: "customers order sold-out products, and orders leaks a connection each time",
    inject: [{ kind: "customers", habit: "wants-what-is-sold-out" }],
    causedBy: "orders",
    categories: ["resource-exhaustion", "timeout"],
    files: ["orders/stock.ts"],
    decoys: [{ kind: "deploy", service: "payments" }],
  },
];
