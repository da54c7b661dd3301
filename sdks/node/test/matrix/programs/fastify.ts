import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const fastify: MatrixProgram = {
  name: "fastify-5",
  title: "Fastify without a logger",
  packages: { fastify: "5.12.8" },
  runtimes: ["20", "26"],
  files: {
    "main.cjs": `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceFastify } = require("@whence/node/fastify"); // coded
const app = require("fastify")();
const { takeFromStock } = require("./stock.cjs");

app.register(whenceFastify); // coded
app.get("/orders/:id", async (request) => await takeFromStock(request.params.id));
app.listen({ port: Number(process.env.PORT) });
`,
  },
  start: ["main.cjs"],
  trigger: getOrder("/orders/:id"),
};
