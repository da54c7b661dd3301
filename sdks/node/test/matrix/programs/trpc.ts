import type { MatrixProgram } from "../matrix-program.ts";

export const trpc: MatrixProgram = {
  name: "trpc-11",
  title: "tRPC on Express 5",
  packages: { "@trpc/server": "11.25.2", express: "5.3.0" },
  runtimes: ["20", "26"],
  files: {
    "main.cjs": `
const { captureException, init } = require("@whence/node"); // coded
const { whenceRequests } = require("@whence/node/express"); // coded
const express = require("express");
const { initTRPC } = require("@trpc/server");
const { createExpressMiddleware } = require("@trpc/server/adapters/express");
const { takeFromStock } = require("./stock.cjs");

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { procedure, router } = initTRPC.create();
const order = procedure.input(String).query(({ input }) => takeFromStock(input));
const options = { router: router({ order }) };
options.onError = ({ error, path }) => { // coded
  if (error.code === "INTERNAL_SERVER_ERROR") // coded
    captureException(error.cause ?? error, { attributes: { procedure: path } }); // coded
}; // coded
const app = express();
app.use(whenceRequests()); // coded
app.use("/trpc", createExpressMiddleware(options));
app.listen(process.env.PORT);
`,
  },
  start: ["main.cjs"],
  trigger: { kind: "http", method: "GET", path: (id) => `/trpc/order?input=${id}` },
};
