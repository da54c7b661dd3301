import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import {
  call,
  eventSubject,
  exception,
  foreignFrame,
  frameAt,
  type Program,
  reportedEvent,
} from "../reported-event.ts";

describe("a field that the upstream no longer sends", () => {
  const program: Program = {
    "/srv/storefront/src/catalog-client.ts": `import { catalogUrl } from "./settings.ts";

/** The product as the catalog tells it. */
export async function loadProduct(id: string) {
  const response = await fetch(\`\${catalogUrl}/products/\${id}\`);
  const body = await response.json();
  return {
    id: body.id,
    title: body.title,
    price: body.price,
  };
}
`,
    "/srv/storefront/src/cart.ts": `import { loadProduct } from "./catalog-client.ts";
import { formatPrice } from "./format-price.ts";

export async function addToCart(cart, productId) {
  const product = await loadProduct(productId);
  cart.lines.push({ id: product.id, label: formatPrice(product.price) });
  return cart;
}
`,
    "/srv/storefront/src/format-price.ts": `export function formatPrice(price) {
  const amount = price.amount / 100;
  return amount.toFixed(2) + " " + price.currency;
}
`,
  };
  const frames = [
    frameAt(program, "/srv/storefront/src/format-price.ts", "amount / 100", "formatPrice"),
    frameAt(program, "/srv/storefront/src/cart.ts", "formatPrice(product", "addToCart"),
  ];
  const event = reportedEvent({
    exceptions: [exception("TypeError", "Cannot read properties of undefined (reading 'amount')", frames)],
    breadcrumbs: [
      call(0.04, { method: "GET", url: "http://catalog:8080/products/7", status_code: 200, duration_ms: 12 }),
    ],
    request: { method: "POST", path: "/cart", route: "/cart", headers: { authorization: "[redacted]" } },
  });

  it("puts the file that reads the answer among the first three", async () => {
    const { report } = await investigated(eventSubject(event, "storefront"));
    const named = report.candidates.slice(0, 3).map(({ location }) => location?.file);
    expect(named).toContain("/srv/storefront/src/cart.ts");
    expect(["schema-drift", "null-dereference"]).toContain(report.root_cause.category);
    expect(cited(report)).toContain("breadcrumb");
    expect(report.detailed_analysis).toContain("catalog:8080");
  });

  it("puts the client among the first three when a frame shows it", async () => {
    const seen = frameAt(program, "/srv/storefront/src/catalog-client.ts", "fetch(`", "loadProduct");
    const withClient = {
      ...event,
      exceptions: [exception("TypeError", "Cannot read properties of undefined (reading 'amount')", [...frames, seen])],
    };
    const { report } = await investigated(eventSubject(withClient, "storefront"));
    const named = report.candidates.slice(0, 3).map(({ location }) => location?.file);
    expect(named).toContain("/srv/storefront/src/catalog-client.ts");
    expect(report.root_cause.category).toBe("schema-drift");
  });

  it("keeps headers out of the prose", async () => {
    const { report } = await investigated(eventSubject(event, "storefront"));
    expect(JSON.stringify(report)).not.toContain("authorization");
  });
});

describe("an error page where JSON was expected", () => {
  const program: Program = {
    "/srv/orders/src/payments-client.ts": `export async function charge(order) {
  const response = await fetch(new URL("/charges", paymentsUrl), {
    method: "POST",
    body: JSON.stringify({ amount: order.total }),
  });
  const receipt = await response.json();
  return receipt.id;
}
`,
  };
  const message = `Unexpected token '<', "<html>\n<h1>"... is not valid JSON`;
  const event = reportedEvent({
    exceptions: [
      exception("SyntaxError", message, [
        foreignFrame("node:internal/deps/undici/undici", 6250, "parseJSONFromBytes"),
        frameAt(program, "/srv/orders/src/payments-client.ts", "response.json", "charge"),
      ]),
    ],
    breadcrumbs: [
      call(3, { method: "GET", url: "http://stock:8080/items", status_code: 200, duration_ms: 9 }),
      call(0.01, { method: "POST", url: "http://payments.internal:9090/charges", status_code: 502, duration_ms: 31 }),
    ],
  });

  // requirement: service.report-root-cause
  it("is attributed to the upstream that sent it", async () => {
    const { report } = await investigated(eventSubject(event));
    expect(report.root_cause.category).toBe("upstream-bad-response");
    expect(report.root_cause_summary).toContain("payments.internal:9090");
    expect(report.root_cause_summary).toContain("502");
    expect(report.root_cause_summary).not.toContain("stock");
    expect(report.root_cause.location).toMatchObject({
      file: "/srv/orders/src/payments-client.ts",
      function: "charge",
    });
  });
});

describe("a missing environment variable", () => {
  const program: Program = {
    "/srv/orders/src/payments-client.ts": `import { settings } from "./settings.ts";

const paymentsUrl = process.env.PAYMENTS_URL;

export async function charge(order) {
  const endpoint = new URL(paymentsUrl);
  return fetch(endpoint, { method: "POST", body: JSON.stringify(order) });
}
`,
  };
  const invalid = exception(
    "TypeError",
    "Invalid URL",
    [
      foreignFrame("node:internal/url", 806, "new URL"),
      frameAt(program, "/srv/orders/src/payments-client.ts", "new URL(", "charge"),
    ],
    { code: "ERR_INVALID_URL", input: "undefined" },
  );

  // requirement: service.report-solutions
  it("is named, with the place where it is read", async () => {
    const { report } = await investigated(eventSubject(reportedEvent({ exceptions: [invalid] })));
    expect(report.root_cause.category).toBe("bad-config");
    expect(report.root_cause_summary).toContain("PAYMENTS_URL");
    expect(report.root_cause.location).toMatchObject({ file: "/srv/orders/src/payments-client.ts", line: 3 });
    expect(report.short_term_solutions[0]?.title).toContain("PAYMENTS_URL");
  });

  it("is named when the code checks for it and throws", async () => {
    const text: Program = {
      "/srv/orders/src/charge.ts": `export function charge(order) {
  const base = process.env.PAYMENTS_URL;
  if (!base) throw new Error("payments URL is undefined");
  return fetch(base);
}
`,
    };
    const thrown = exception("Error", "payments URL is undefined", [
      frameAt(text, "/srv/orders/src/charge.ts", "new Error", "charge"),
    ]);
    const { report } = await investigated(eventSubject(reportedEvent({ exceptions: [thrown] })));
    expect(report.root_cause.category).toBe("bad-config");
    expect(report.root_cause_summary).toContain("PAYMENTS_URL");
  });
});

describe("a forgotten await that rejects", () => {
  const program: Program = {
    "/srv/orders/src/place-order.ts": `import { notify } from "./notify.ts";

export async function placeOrder(order, store) {
  await store.save(order);
  sendReceipt(order);
  return { id: order.id };
}

async function sendReceipt(order) {
  const response = await notify(order.email);
  if (!response.ok) throw new Error("mail server answered " + response.status);
}
`,
  };
  const event = reportedEvent({
    exceptions: [
      exception("Error", "mail server answered 550", [
        frameAt(program, "/srv/orders/src/place-order.ts", "new Error", "sendReceipt"),
        foreignFrame("node:internal/process/task_queues", 105, "process.processTicksAndRejections"),
      ]),
    ],
    mechanism: { type: "unhandledRejection", handled: false },
  });

  it("is found at the call that isn't awaited", async () => {
    const { report } = await investigated(eventSubject(event));
    expect(report.root_cause.category).toBe("missing-await");
    expect(report.root_cause.location).toEqual({
      file: "/srv/orders/src/place-order.ts",
      line: 5,
      function: "placeOrder",
    });
    expect(report.short_term_solutions[0]?.title).toContain("sendReceipt");
  });

  it("is an unhandled rejection when the call can't be seen", async () => {
    const blind = exception("Error", "mail server answered 550", [
      { file: "/srv/orders/src/place-order.ts", line: 11, column: 26, function: "sendReceipt", in_app: true },
    ]);
    const { report } = await investigated(
      eventSubject(reportedEvent({ exceptions: [blind], mechanism: { type: "unhandledRejection", handled: false } })),
    );
    expect(report.root_cause.category).toBe("unhandled-rejection");
    expect(report.root_cause.location?.function).toBe("sendReceipt");
  });
});

describe("an exhausted connection pool", () => {
  const program: Program = {
    "/srv/payments/src/pool.ts": `export class Pool {
  acquire() {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("timeout acquiring a connection")), this.timeoutMs);
      this.waiting.push({ resolve, timer });
    });
  }
}
`,
    "/srv/payments/src/charges.ts": `export async function charge(pool, order) {
  const connection = await pool.acquire();
  const account = await connection.query("select * from account where id = $1", [order.account]);
  if (account.blocked) {
    return { refused: true };
  }
  await connection.query("insert into charge values ($1)", [order.total]);
  connection.release();
  return { refused: false };
}
`,
  };
  const event = reportedEvent({
    exceptions: [
      exception("Error", "timeout acquiring a connection", [
        frameAt(program, "/srv/payments/src/pool.ts", "new Error", "Timeout._onTimeout"),
        frameAt(program, "/srv/payments/src/charges.ts", "pool.acquire", "async charge"),
      ]),
    ],
  });

  it("puts the function that keeps a connection among the first three", async () => {
    const { report } = await investigated(eventSubject(event, "payments"));
    expect(report.root_cause.category).toBe("resource-exhaustion");
    const places = report.candidates.slice(0, 3).map(({ location }) => location);
    expect(places).toContainEqual(
      expect.objectContaining({ file: "/srv/payments/src/charges.ts", function: "charge" }),
    );
  });

  it("is attributed to the slow neighbor when the code releases its connections", async () => {
    const careful = {
      ...program,
      "/srv/payments/src/charges.ts": `export async function charge(pool, order) {
  const connection = await pool.acquire();
  try {
    return await connection.query("select 1");
  } finally {
    connection.release();
  }
}
`,
    };
    const event2 = reportedEvent({
      exceptions: [
        exception("Error", "timeout acquiring a connection", [
          frameAt(careful, "/srv/payments/src/pool.ts", "new Error", "Timeout._onTimeout"),
          frameAt(careful, "/srv/payments/src/charges.ts", "pool.acquire", "async charge"),
        ]),
      ],
      breadcrumbs: [
        call(1, {
          method: "POST",
          url: "http://ledger:7000/entries",
          error: "timed out",
          error_code: "ETIMEDOUT",
          duration_ms: 10_000,
        }),
      ],
    });
    const { report } = await investigated(eventSubject(event2, "payments"));
    expect(report.root_cause_summary).toContain("ledger:7000");
    expect(report.candidates.some(({ category }) => category === "resource-exhaustion")).toBe(true);
  });
});

function cited(report: { evidence: readonly { source: { kind: string } }[] }): string[] {
  return report.evidence.map(({ source }) => source.kind);
}

describe("a field that a caller left out", () => {
  const program = (read: string): Program => ({
    "/srv/shipping/src/routes.js": `import { json } from "node:stream/consumers";
import { labelOf } from "./label.js";

export async function answer(request, response) {
  const parcel = await ${read};
  response.end(labelOf(parcel.address));
}
`,
    "/srv/shipping/src/label.js": `export function labelOf(address) {
  return address.postcode.replaceAll(" ", "");
}
`,
  });
  const categoryOf = async (read: string): Promise<string> => {
    const files = program(read);
    const frames = [
      frameAt(files, "/srv/shipping/src/label.js", "replaceAll", "labelOf"),
      frameAt(files, "/srv/shipping/src/routes.js", "labelOf(parcel", "answer"),
    ];
    const message = "Cannot read properties of undefined (reading 'replaceAll')";
    const event = reportedEvent({ exceptions: [exception("TypeError", message, frames)] });
    const { report } = await investigated(eventSubject(event, "shipping"));
    return report.root_cause.category;
  };

  it.each(["json(request)", "request.json()", "context.req.json()"])("is unchecked input: %s", async (read) => {
    expect(await categoryOf(read)).toBe("data-validation");
  });

  it("has another category when it was missing from an answer", async () => {
    expect(await categoryOf("json(answered)")).toBe("schema-drift");
  });
});
