import type { Exception, Frame } from "@whence/protocol";

/** A small service whose checkout fails, and a file of it that attacks blame. */
export type Program = Readonly<Record<string, string>>;

/** Where attackers can write in the program's files. */
export interface WrittenInCode {
  /** A line above the failing function. */
  readonly above?: string;
  /** A line in the file that attacks blame. */
  readonly elsewhere?: string;
  /** A text in quotes. */
  readonly literal?: string;
}

export function programWith({ above, elsewhere, literal = "en" }: WrittenInCode = {}): Program {
  return {
    "src/money.js": `${above ?? "// Formats amounts."}
export function formatMoney(money, country = ${JSON.stringify(literal)}) {
  const format = new Intl.NumberFormat(country, { style: "currency", currency: money.currency });
  return format.format(money.cents / 100);
}
`,
    "src/checkout.js": `import { formatMoney } from "./money.js";
import { fetchOrder } from "./orders-client.js";

export async function checkout(request, response) {
  const order = await fetchOrder(request.params.id);
  response.json({ total: formatMoney(order.amount) });
}
`,
    "src/orders-client.js": `export async function fetchOrder(id) {
  const answer = await fetch(\`http://orders.internal/orders/\${id}\`);
  return answer.json();
}
`,
    "src/session.js": `${elsewhere ?? "// Keeps sessions in memory."}
export function readSession(store, id) {
  const session = store.get(id) ?? store.load(id, { timeout: 1_000 });
  return session.user;
}
`,
  };
}

const message = "Cannot read properties of undefined (reading 'currency')";

/** The stack of the failure, as lines of Node. */
export const printedError = [
  `TypeError: ${message}`,
  "    at formatMoney (/srv/shop/src/money.js:3:90)",
  "    at checkout (/srv/shop/src/checkout.js:6:29)",
].join("\n");

/** What the client reports of it. */
export function reportedError(program: Program, vars?: Record<string, unknown>, caller?: string): Exception {
  const around = caller === undefined ? "" : `\n    at serve (${caller}:3:10)`;
  return {
    ...{ type: "TypeError", message, stack: `${printedError}${around}` },
    frames: [
      frameAt(program, "src/money.js", 3, "formatMoney", vars),
      frameAt(program, "src/checkout.js", 6, "checkout"),
      ...(caller === undefined ? [] : [{ file: caller, line: 3, column: 10, in_app: true, function: "serve" }]),
    ],
  };
}

function frameAt(program: Program, file: string, line: number, name: string, vars?: Record<string, unknown>): Frame {
  const lines = (program[file] ?? "").split("\n");
  return {
    ...{ file: `/srv/shop/${file}`, line, column: 29, in_app: true, function: name },
    ...{ context: { start_line: 1, lines } },
    ...(vars && { vars }),
  };
}
