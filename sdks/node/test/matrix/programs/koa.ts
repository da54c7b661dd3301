import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const koa: MatrixProgram = {
  name: "koa-3",
  title: "Koa with a middleware that catches",
  packages: { koa: "3.3.0", "@koa/router": "15.7.0" },
  runtimes: ["20", "26"],
  files: {
    "main.cjs": `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceKoa } = require("@whence/node/koa"); // coded
const Koa = require("koa");
const { Router } = require("@koa/router");
const { takeFromStock } = require("./stock.cjs");

const app = new Koa();
app.use(async (context, next) => {
  try {
    await next();
  } catch (error) {
    context.status = 500;
    context.body = { error: error.message };
  }
});
app.use(whenceKoa()); // coded
const router = new Router();
router.get("/orders/:id", async (context) => {
  context.body = await takeFromStock(context.params.id);
});
app.use(router.routes());
app.listen(process.env.PORT);
`,
  },
  start: ["main.cjs"],
  trigger: getOrder("/orders/:id"),
};
