import type { MatrixProgram } from "../matrix-program.ts";

export const yoga: MatrixProgram = {
  name: "yoga-5",
  title: "GraphQL Yoga on node:http",
  packages: { "graphql-yoga": "5.24.1", graphql: "16.15.0" },
  files: {
    "main.cjs": `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceListener } = require("@whence/node/http"); // coded
const { createServer } = require("node:http");
const { createSchema, createYoga } = require("graphql-yoga");
const { takeFromStock } = require("./stock.cjs");

const schema = createSchema({
  typeDefs: "type Query { order(id: ID!): String }",
  resolvers: { Query: { order: (_parent, { id }) => takeFromStock(id) } },
});
let serve = createYoga({ schema });
serve = whenceListener(serve); // coded
createServer(serve).listen(process.env.PORT);
`,
  },
  start: ["main.cjs"],
  trigger: {
    kind: "http",
    method: "POST",
    path: () => "/graphql",
    body: (id) => JSON.stringify({ query: `{ order(id: "${id}") }` }),
  },
};
