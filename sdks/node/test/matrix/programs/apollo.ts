import type { MatrixProgram } from "../matrix-program.ts";

export const apollo: MatrixProgram = {
  name: "apollo-5",
  title: "Apollo Server on Express 5",
  packages: {
    "@apollo/server": "5.5.1",
    "@as-integrations/express5": "1.1.2",
    express: "5.3.0",
    graphql: "16.15.0",
  },
  runtimes: ["20", "26"],
  files: {
    "main.cjs": `
const { captureException, init } = require("@whence/node"); // coded
const { whenceRequests } = require("@whence/node/express"); // coded
const express = require("express");
const { ApolloServer } = require("@apollo/server");
const { expressMiddleware } = require("@as-integrations/express5");
const { takeFromStock } = require("./stock.cjs");

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const typeDefs = "type Query { order(id: ID!): String }";
const resolvers = { Query: { order: (_parent, { id }) => takeFromStock(id) } };
const plugins = [];
plugins.push({ // coded
  async requestDidStart() { // coded
    return { // coded
      async didEncounterErrors({ errors }) { // coded
        for (const { originalError } of errors) { // coded
          if (originalError && originalError.name !== "GraphQLError") captureException(originalError); // coded
        } // coded
      }, // coded
    }; // coded
  }, // coded
}); // coded
const server = new ApolloServer({ typeDefs, resolvers, plugins });
server.start().then(() => {
  const app = express();
  app.use(whenceRequests()); // coded
  app.post("/graphql", express.json(), expressMiddleware(server));
  app.listen(process.env.PORT);
});
`,
  },
  start: ["main.cjs"],
  trigger: {
    kind: "http",
    method: "POST",
    path: () => "/graphql",
    body: (id) => JSON.stringify({ query: `{ order(id: "${id}") }` }),
    route: "/graphql",
  },
};
