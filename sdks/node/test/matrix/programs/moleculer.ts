import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const moleculer: MatrixProgram = {
  name: "moleculer",
  title: "Moleculer, an action behind node:http",
  packages: { moleculer: "0.15.2" },
  runtimes: ["26"],
  files: {
    "main.cjs": `
const { captureException, init } = require("@whence/node"); // coded
const { createServer } = require("node:http");
const { ServiceBroker } = require("moleculer");
const { takeFromStock } = require("./stock.cjs");

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, watchServers: true }); // coded
const options = { logger: false };
options.errorHandler = (error) => { // coded
  captureException(error); // coded
  throw error; // coded
}; // coded
const broker = new ServiceBroker(options);
broker.createService({ name: "orders", actions: { find: (context) => takeFromStock(context.params.id) } });
broker.start().then(() => {
  createServer((request, response) => {
    broker.call("orders.find", { id: request.url.split("/").at(-1) }).then(
      (order) => response.end(JSON.stringify(order)),
      (error) => response.writeHead(500).end(error.message),
    );
  }).listen(process.env.PORT);
});
`,
  },
  start: ["main.cjs"],
  trigger: getOrder(),
  notes: { error: "The caller handles it: call `captureException` in the broker's `errorHandler`." },
};
