import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const jsonServer: MatrixProgram = {
  name: "json-server",
  title: "json-server with a middleware",
  packages: { "json-server": "0.17.4" },
  runtimes: ["18", "26"],
  files: {
    "db.json": '{ "orders": [{ "id": 31 }, { "id": 32 }] }',
    "check-stock.cjs": `
const { takeFromStock } = require("./stock.cjs");

module.exports = (request, response, next) => {
  takeFromStock(request.path.split("/").at(-1)).then(() => next(), next);
};
`,
  },
  start: ["node_modules/json-server/lib/cli/bin.js", "db.json", "--middlewares", "check-stock.cjs", "--port", "PORT"],
  trigger: getOrder(),
};
