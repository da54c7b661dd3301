import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const express5: MatrixProgram = {
  name: "express-5",
  title: "Express 5 with its own error handler",
  packages: { express: "5.3.0" },
  runtimes: ["20", "26"],
  files: {
    "main.cjs": `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceErrors, whenceRequests } = require("@whence/node/express"); // coded
const express = require("express");
const { takeFromStock } = require("./stock.cjs");

const app = express();
app.use(whenceRequests()); // coded
app.get("/orders/:id", (request, response, next) => {
  takeFromStock(request.params.id).then((order) => response.json(order), next);
});
app.use(whenceErrors()); // coded
app.use((error, request, response, next) => {
  response.status(500).json({ error: error.message });
});
app.listen(process.env.PORT);
`,
  },
  start: ["main.cjs"],
  trigger: getOrder("/orders/:id"),
};
