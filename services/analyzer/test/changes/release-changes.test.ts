import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { fingerprint, type Kept, keptTelemetry } from "../collectors/kept-telemetry.ts";
import { ada, answered, type FailureCase, type Files, reportOn } from "./release-case.ts";

const telemetry = keptTelemetry();

const advice = ({ short_term_solutions: now }: Report): string => now.map(({ title }) => title).join("\n");

const shop: Files = {
  "src/payments.js": `export async function fetchPayment(id) {
  const response = await fetch("http://payments:8080/" + id);
  const body = await response.json();
  return { id: body.id, amount: body.amount };
}
`,
  "src/page.js": `import { fetchPayment } from "./payments.js";
import { formatMoney } from "./money.js";
export async function page(id) {
  const payment = await fetchPayment(id);
  return formatMoney(payment.amount);
}
`,
  "src/money.js": `export function formatMoney(money) {
  return money.currency + money.cents;
}
`,
};
const missingMoney = {
  error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'currency')" },
  stack: [
    ["src/money.js", "money.currency", "formatMoney"],
    ["src/page.js", "formatMoney(payment", "page"],
  ] as const,
};
const body = (fields: string): string => `import { config } from "./config.js";

export function paymentBody({ id, status, amount }) {
  return { id, ${fields} };
}
`;

describe("a change of a called service", () => {
  it("that renamed the field missing from the answer is where the chain begins", async () => {
    const report = await reportOn(
      {
        ...{ files: shop, ...missingMoney, breadcrumbs: [answered("payments")] },
        releases: [
          {
            ...{ service: "payments", from: "1.0.0", to: "2.0.0", commit: ada },
            old: { "src/body.js": body("status, amount"), "src/log.js": "export const level = 1;\n" },
            now: { "src/body.js": body("status, total: amount"), "src/log.js": "export const level = 2;\n" },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "payments", category: "schema-drift" });
    expect(report.root_cause.location).toMatchObject({ file: "src/body.js", line: 4 });
    expect(report.root_cause_summary).toContain("`payments` 2.0.0 renamed `amount` to `total` in `src/body.js:4`");
    expect(report.chain[0]).toMatchObject({ service: "payments", release: "2.0.0", location: { file: "src/body.js" } });
    expect(report.chain[0]?.what).toContain("(built from commit `1a2b3c4` by `Ada Lovelace`)");
    expect(advice(report)).toContain("Roll `payments` back to `1.0.0`");
    const quoted = report.evidence.find(({ source }) => source.name === "src/body.js");
    expect(quoted?.excerpt).toBe(
      "@@ -4,1 +4,1 @@\n-  return { id, status, amount };\n+  return { id, status, total: amount };",
    );
    expect(report.evidence.map(({ source }) => source.name)).not.toContain("src/log.js");
  });

  it("unrelated to what is missing isn't suspected for this service's own bug", async () => {
    const files = {
      ...shop,
      "src/page.js": `import { fetchPayment } from "./payments.js";
import { formatMoney } from "./money.js";
export async function page(id) {
  const payment = await fetchPayment(id);
  return formatMoney(priceOf(payment));
}
function priceOf(payment) {
  if (payment.id) return;
  return payment.amount;
}
`,
    };
    const report = await reportOn(
      {
        ...{ files, error: missingMoney.error, breadcrumbs: [answered("payments")] },
        stack: [
          ["src/money.js", "money.currency", "formatMoney"],
          ["src/page.js", "formatMoney(priceOf", "page"],
        ],
        releases: [
          {
            ...{ service: "payments", from: "1.0.0", to: "2.0.0" },
            old: { "src/body.js": body("status, amount"), "src/log.js": "export const level = 1;\n" },
            now: { "src/body.js": body("status, amount"), "src/log.js": "export const level = 2;\n" },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause.service).toBe("orders");
    expect(report.root_cause_summary).not.toContain("`payments`");
  });

  it("is named even though this service had a release at the same time that changed something else", async () => {
    const report = await reportOn(
      {
        ...{ files: shop, ...missingMoney, breadcrumbs: [answered("payments")] },
        releases: [
          {
            ...{ service: "payments", from: "1.0.0", to: "2.0.0" },
            old: { "src/body.js": body("status, amount") },
            now: { "src/body.js": body("status, total: amount") },
          },
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2" },
            old: { ...shop, "src/mail.js": "export const from = 'a@example.com';\n" },
            now: { ...shop, "src/mail.js": "export const from = 'b@example.com';\n" },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "payments" });
    expect(report.root_cause_summary).toContain("renamed `amount` to `total`");
    expect(report.root_cause_summary).not.toContain("`orders` 1.4.2");
  });
});

describe("a change of the failing service", () => {
  const store = (find: string): string => `import { rows } from "./rows.js";
export function findUser(id) {
  ${find}
}
`;
  const card = `import { findUser } from "./store.js";
export function card(id) {
  const user = findUser(id);
  return user.name;
}
`;
  const missingName = {
    error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'name')" },
    stack: [["src/card.js", "user.name", "card"]] as const,
  };

  const changed = (more: Partial<FailureCase> = {}): FailureCase => {
    const files = (find: string): Files => ({
      "src/card.js": card,
      "src/store.js": store(find),
      "src/rows.js": "export const rows = new Map();\n",
    });
    return {
      ...{ files: {}, ...missingName },
      releases: [
        {
          ...{ service: "orders", from: "1.4.1", to: "1.4.2", commit: ada },
          old: files("return rows.get(id) ?? guest;"),
          now: files("return rows.get(String(id));"),
        },
      ],
      ...more,
    };
  };

  it("to a line on the trail is named as what the release changed", async () => {
    const report = await reportOn(changed(), telemetry);
    expect(report.root_cause).toMatchObject({
      service: "orders",
      location: { file: "/srv/orders/src/store.js", line: 3 },
    });
    expect(report.root_cause_summary).toMatch(/`orders` 1.4.2 changed `findUser` \(`src\/store.js:3`\)/);
  });

  it("is rolled back where the failure began with it, too often for chance", async () => {
    const [first] = (await reportOn(changed({ failures: 8 }), telemetry)).short_term_solutions;
    expect(first).toMatchObject({
      title: "Roll `orders` back to `1.4.1`, which likely stops it",
      detail: expect.stringContaining("Processes of 1.4.1 ran for 56 min in total without it."),
      rolls_back: { service: "orders", to: "1.4.1", is_likely: true },
    });
  });

  it("is likely to be rolled back rightly where only one failure began with it", async () => {
    const [first] = (await reportOn(changed(), telemetry)).short_term_solutions;
    expect(first).toMatchObject({
      title: "Roll `orders` back to `1.4.1`, which likely stops it",
      detail: expect.stringContaining(
        "That could still be chance: processes of 1.4.1 ran for 56 min in total without it.",
      ),
    });
  });

  it("isn't rolled back where the release before had the failure, too", async () => {
    const earlier: Kept = { fingerprint, secondsBefore: 1_800, release: "1.4.1", instance: "orders-1.4.1" };
    const report = await reportOn(changed({ more: [earlier] }), telemetry);
    expect(advice(report)).not.toMatch(/roll/i);
  });

  it("that makes it read a variable named in the error is where the chain begins", async () => {
    const files = (config: string): Files => ({
      "src/config.js": `export function key() {\n  ${config}\n}\n`,
      "src/sign.js": `import { key } from "./config.js";\nexport function sign(text) {\n  return hmac(key(), text);\n}\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "Error", message: "RECEIPT_KEY is not set" },
        stack: [
          ["src/config.js", "throw new", "key"],
          ["src/sign.js", "hmac(key()", "sign"],
        ],
        releases: [
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2" },
            old: files("return 'fixed';"),
            now: files(
              "const value = process.env.RECEIPT_KEY;\n  if (!value) throw new Error('RECEIPT_KEY is not set');\n  return value;",
            ),
          },
        ],
      },
      telemetry,
    );
    expect(report.chain[0]?.what).toContain("`orders` 1.4.2 started reading `RECEIPT_KEY` in `src/config.js:2`");
    expect(report.root_cause.location).toMatchObject({ file: "/srv/orders/src/config.js" });
  });

  it("to a dependency whose code is on the stack is named with both versions", async () => {
    const files = (version: string): Files => ({
      "package.json": `{\n  "dependencies": {\n    "pg": "${version}",\n    "express": "5.0.0"\n  }\n}\n`,
      "src/db.js": `import pg from "pg";\nexport function load(id) {\n  return pg.query(id);\n}\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "TypeError", message: "text.trim is not a function" },
        packageFrames: [["node_modules/pg/lib/query.js", 12, "prepare"]],
        stack: [["src/db.js", "pg.query", "load"]],
        releases: [
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2" },
            old: files("^8.11.0"),
            now: files("^9.0.0"),
          },
        ],
      },
      telemetry,
    );
    expect(report.chain[0]?.what).toContain("changed the dependency `pg` from `^8.11.0` to `^9.0.0`");
  });

  it.each([
    ["^5.0.0", true],
    ["^4.2.0", false],
  ])("to a dependency that the failing line calls is named where it is a major one: %s", async (version, isNamed) => {
    const files = (chalk: string): Files => ({
      "package.json": `{\n  "dependencies": {\n    "chalk": "${chalk}"\n  }\n}\n`,
      "src/print.js": `import chalk from "chalk";\nexport function print(text) {\n  return chalk.keyword("red")(text);\n}\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "TypeError", message: "chalk.keyword is not a function" },
        stack: [["src/print.js", "chalk.keyword", "print"]],
        releases: [{ ...{ service: "orders", from: "1.4.1", to: "1.4.2" }, old: files("^4.1.2"), now: files(version) }],
      },
      telemetry,
    );
    const said = `changed the dependency \`chalk\` from \`^4.1.2\` to \`${version}\``;
    expect(report.chain[0]?.what.includes(said)).toBe(isNamed);
  });
});
