import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const expressGenerator: MatrixProgram = {
  name: "express-generator",
  title: "what express-generator writes",
  packages: {
    "express-generator": "4.16.1",
    "cookie-parser": "1.4.7",
    debug: "2.6.9",
    ejs: "2.6.2",
    express: "4.16.4",
    "http-errors": "1.6.3",
    morgan: "1.9.1",
  },
  files: {
    // Replaces the route that the generator writes; the rest is as generated.
    "orders.js": `
const router = require("express").Router();
const { takeFromStock } = require("./stock.cjs");

router.get("/:id", (request, response, next) => {
  takeFromStock(request.params.id).then((order) => response.json(order), next);
});
module.exports = router;
`,
    "generate.cjs": `
const { execFileSync } = require("node:child_process");
const { copyFileSync } = require("node:fs");
const generator = require.resolve("express-generator/bin/express-cli.js");
execFileSync(process.execPath, [generator, "--view=ejs", "--force", "shop"]);
copyFileSync("orders.js", "shop/routes/users.js");
copyFileSync("stock.cjs", "shop/routes/stock.cjs");
`,
  },
  prepare: ["generate.cjs"],
  start: ["shop/bin/www"],
  trigger: { ...getOrder("/users/:id"), path: (id) => `/users/${id}` },
  release: "shop@0.0.0",
};
