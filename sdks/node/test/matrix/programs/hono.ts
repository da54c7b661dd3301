import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const hono: MatrixProgram = {
  name: "hono-4",
  title: "Hono on Node, with `onError`",
  packages: { hono: "4.13.19", "@hono/node-server": "2.1.8" },
  runtimes: ["20", "26"],
  files: {
    "main.mjs": `
import { init } from "@whence/node"; // coded
import { whenceHono } from "@whence/node/hono"; // coded
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { takeFromStock } from "./stock.cjs";

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const app = new Hono();
app.use(whenceHono()); // coded
app.get("/orders/:id", async (context) => context.json(await takeFromStock(context.req.param("id"))));
app.onError((error, context) => context.json({ error: error.message }, 500));
serve({ fetch: app.fetch, port: Number(process.env.PORT) });
`,
  },
  start: ["main.mjs"],
  trigger: getOrder("/orders/:id"),
  notes: { error: "As an ES module, it is seen from Node 22.15 on: add the [middleware](hono.md)." },
};
