import type { Fault } from "../fault.ts";

/** Third parties that change their behavior, so that the service that depends on them has to be fixed. */
export const thirdParties: readonly Fault[] = [
  {
    name: "revoked-credential",
    plays: "the acquirer has revoked the token of payments",
    inject: [{ kind: "outside", party: "acquirer", mood: "revoked" }],
    causedBy: "payments",
    categories: ["auth"],
    files: [],
    decoys: [{ kind: "deploy", service: "orders" }],
  },
  {
    name: "slow-acquirer",
    plays: "the acquirer answers after seven seconds, and payments times out after three",
    inject: [{ kind: "outside", party: "acquirer", mood: "slow" }],
    causedBy: "payments",
    categories: ["timeout", "dependency-outage"],
    files: [],
    decoys: [],
  },
  {
    name: "rate-limited",
    plays: "the carrier rejects all requests from shipping as too many",
    inject: [{ kind: "outside", party: "carrier", mood: "limiting" }],
    causedBy: "shipping",
    categories: ["upstream-bad-response", "resource-exhaustion", "dependency-outage"],
    files: [],
    decoys: [],
  },
  {
    name: "page-instead-of-label",
    plays: "the carrier answers 200 with a page about planned maintenance",
    inject: [{ kind: "outside", party: "carrier", mood: "error-page" }],
    causedBy: "shipping",
    categories: ["upstream-bad-response", "parse-error"],
    files: ["shipping/carrier-client.ts"],
    decoys: [{ kind: "noise", source: "suggestions", since: "fault" }],
  },
  {
    name: "other-dates",
    plays: "the carrier switches to a human-readable date format that shipping can't parse",
    inject: [{ kind: "outside", party: "carrier", mood: "other-dates" }],
    causedBy: "shipping",
    categories: ["parse-error", "schema-drift", "upstream-bad-response", "data-validation"],
    files: ["shipping/delivery-date.ts"],
    decoys: [],
  },
  {
    name: "other-encoding",
    plays: "the carrier sends names in Latin-1, and shipping reads UTF-8",
    inject: [{ kind: "outside", party: "carrier", mood: "other-encoding" }],
    causedBy: "shipping",
    categories: ["encoding", "upstream-bad-response"],
    files: ["shipping/carrier-client.ts"],
    decoys: [],
  },
];
