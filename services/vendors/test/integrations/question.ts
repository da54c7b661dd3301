import type { FailureQuestion } from "../../src/integrations/integration.ts";

/** A failure of `orders`, which a call to payments preceded. */
export const question: FailureQuestion = {
  ...{ service: "orders", env: "PROD", release: "2.0.0", host: "orders-7d9f", route: "/orders/:id" },
  errors: [{ type: "TypeError", message: "Cannot read properties of undefined (reading 'amount')" }],
  calledHosts: ["payments.example.com"],
  ...{ at: "2026-03-01T12:00:00.000Z", from: "2026-03-01T11:00:00.000Z", to: "2026-03-01T12:05:00.000Z" },
};
