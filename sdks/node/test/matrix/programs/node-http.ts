import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const nodeHttp: MatrixProgram = {
  name: "node-http",
  title: "node:http, caught and logged",
  packages: {},
  runtimes: ["18", "20", "26"],
  files: {
    "main.cjs": `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceListener } = require("@whence/node/http"); // coded
const { createServer } = require("node:http");
const { takeFromStock } = require("./stock.cjs");

let serve = async (request, response) => {
  try {
    await takeFromStock(request.url.split("/").at(-1));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end("failed");
  }
};
serve = whenceListener(serve); // coded
createServer(serve).listen(process.env.PORT);
`,
  },
  start: ["main.cjs"],
  trigger: getOrder(),
};
