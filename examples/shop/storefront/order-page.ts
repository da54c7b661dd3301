import { escapeHtml } from "./escape-html.ts";
import { formatMoney } from "./money.ts";
import type { Order } from "./orders-client.ts";
import type { Payment } from "./payments-client.ts";

/** The page that shows an order to who placed it. */
export function orderPage(order: Order, payment: Payment): string {
  const { sku, quantity } = order;
  return `<!doctype html>
<html lang="en">
  <head><title>Your order</title></head>
  <body>
    <h1>Thank you!</h1>
    <p>${quantity} × ${escapeHtml(sku)}, ${formatMoney(payment.amount)}, ${escapeHtml(payment.status)}</p>
  </body>
</html>
`;
}
