import { getOrder, type MatrixProgram } from "../matrix-program.ts";

const catchAll = "return { ...msg, statusCode: 500, payload: msg.error.message };";
/** A node without a position on the canvas would be a configuration node. */
const place = { z: "flow", x: 0, y: 0 };
const take = "return await global.get('takeFromStock')(msg.req.params.id);";
const flow = [
  { id: "flow", type: "tab", label: "orders" },
  { ...place, id: "request", type: "http in", url: "/orders/:id", method: "get", wires: [["take"]] },
  { ...place, id: "take", type: "function", outputs: 1, func: take, wires: [["answer"]] },
  { ...place, id: "catch-all", type: "catch", scope: null, wires: [["failed"]] },
  { ...place, id: "failed", type: "function", outputs: 1, func: catchAll, wires: [["answer"]] },
  { ...place, id: "answer", type: "http response", wires: [] },
];

export const nodeRed: MatrixProgram = {
  name: "node-red",
  title: "Node-RED, a function node with a catch node",
  packages: { "node-red": "5.0.7" },
  files: {
    "flows.json": JSON.stringify(flow),
    "settings.cjs": `
const { takeFromStock } = require("./stock.cjs");

module.exports = {
  uiPort: process.env.PORT,
  userDir: __dirname,
  flowFile: "flows.json",
  credentialSecret: "orders",
  telemetry: { enabled: false },
  functionGlobalContext: { takeFromStock },
  logging: { console: { level: "error" } },
};
`,
  },
  start: ["node_modules/node-red/red.js", "--settings", "settings.cjs"],
  trigger: getOrder("/orders/:id"),
  notes: { error: "A catch node deals with it: the flow has to report it." },
  isHeavy: true,
};
