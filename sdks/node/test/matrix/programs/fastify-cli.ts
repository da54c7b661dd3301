import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const fastifyCli: MatrixProgram = {
  name: "fastify-cli",
  title: "fastify-cli with its logger",
  packages: { "fastify-cli": "8.0.2", fastify: "5.12.8" },
  runtimes: ["20", "26"],
  files: {
    "app.cjs": `
const { takeFromStock } = require("./stock.cjs");

module.exports = async (app, _options) => {
  app.get("/orders/:id", async (request) => await takeFromStock(request.params.id));
};
`,
  },
  start: ["node_modules/fastify-cli/cli.js", "start", "--log-level", "info", "--port", "PORT", "app.cjs"],
  trigger: getOrder("/orders/:id"),
};
