import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const verdaccio: MatrixProgram = {
  name: "verdaccio",
  title: "Verdaccio with a middleware plugin",
  packages: { verdaccio: "6.10.4" },
  files: {
    "config.yaml": `
storage: ./storage
plugins: ./plugins
web: { enable: false }
middlewares: { stock: { enabled: true } }
log: { type: stdout, format: json, level: error }
`,
    "plugins/verdaccio-stock/package.json": '{ "name": "verdaccio-stock", "version": "1.0.0", "main": "index.js" }',
    "plugins/verdaccio-stock/index.js": `
const { takeFromStock } = require("../../stock.cjs");

module.exports = () => ({
  register_middlewares(app) {
    app.get("/orders/:id", (request, response, next) => {
      takeFromStock(request.params.id).then((order) => response.json(order), next);
    });
  },
});
`,
  },
  start: ["node_modules/verdaccio/bin/verdaccio", "--config", "config.yaml", "--listen", "PORT"],
  trigger: getOrder("/orders/:id"),
  overrides: { "node-fetch": "2.7.0" },
  notes: { error: "Verdaccio answers it and logs only its message." },
  isHeavy: true,
};
