import { getOrder, type MatrixProgram } from "../matrix-program.ts";

const failingFile = "warehouse.ts";

export const tsx: MatrixProgram = {
  name: "tsx",
  title: "TypeScript run by tsx",
  packages: { tsx: "4.23.15", express: "5.3.0" },
  files: {
    [failingFile]: `
interface Order {
  readonly id: string;
}

enum Stock {
  None,
}

export async function ship(order: Order, waiting: Promise<void>): Promise<Stock> {
  console.log(\`order \${order.id}\`);
  await waiting;
  throw new Error(\`no stock of \${order.id}\`); // injected
}
`,
    "main.ts": `
import { init } from "@whence/node"; // coded
import { whenceErrors, whenceRequests } from "@whence/node/express"; // coded
import express from "express";
import { ship } from "./${failingFile}";

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
let meet: () => void;
const both = new Promise<void>((resolve) => { meet = resolve; });
let requests = 0;
const app = express();
app.use(whenceRequests()); // coded
app.get("/orders/:id", async (request) => {
  requests += 1;
  if (requests === 2) setImmediate(meet);
  await ship({ id: request.params.id }, both);
});
app.use(whenceErrors()); // coded
app.listen(process.env.PORT);
`,
  },
  failingFile,
  start: ["--import", "node_modules/tsx/dist/loader.mjs", "main.ts"],
  trigger: getOrder("/orders/:id"),
};
