import type { ProductPage } from "./catalog-client.ts";
import { escapeHtml } from "./escape-html.ts";
import { formatMoney } from "./money.ts";

/** The page that shows what the catalog found to a visitor. */
export function productPage({ products, pages }: ProductPage, greeting: string): string {
  const rows = products.map(
    ({ name, cents }) => `<li>${escapeHtml(name)}, ${formatMoney({ cents, currency: "EUR" })}</li>`,
  );
  return `<!doctype html>
<html lang="en">
  <head><title>Coffee and more</title></head>
  <body>
    <h1>${escapeHtml(greeting)}</h1>
    <ul>${rows.join("")}</ul>
    <p>${pages.map((page) => `<a href="?page=${page}">${page}</a>`).join(" ")}</p>
  </body>
</html>
`;
}
