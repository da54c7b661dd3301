"use strict";
// The adapter of @whence/node. Adapters of other clients have the same form.
let sdk;
let frameworks;

module.exports = {
  name: "Whence",
  // For a benchmark that installs the clients itself.
  install: process.env.WHENCE_TARBALL ? [process.env.WHENCE_TARBALL] : [],
  init(sinkUrl, context) {
    sdk = context.require("@whence/node");
    sdk.init({ apiKey: "whk_bench", endpoint: sinkUrl, service: "bench", ...context.options });
    frameworks = {
      express: () => context.require("@whence/node/express"),
      fastify: () => context.require("@whence/node/fastify"),
    };
  },
  capture(error) {
    sdk.captureException(error);
  },
  breadcrumb(message, data) {
    sdk.addBreadcrumb({ category: "bench", message, data });
  },
  flush() {
    return sdk.flush();
  },
  expressSetup(app, phase) {
    const { whenceRequests, whenceErrors } = frameworks.express();
    app.use(phase === "before" ? whenceRequests() : whenceErrors());
  },
  fastifySetup(app) {
    app.register(frameworks.fastify().whenceFastify);
  },
};
