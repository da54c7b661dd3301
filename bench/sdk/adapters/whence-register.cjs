"use strict";
// @whence/node as `node --import @whence/node/register` starts it: the program has no line of the client's.
let sdk;

module.exports = {
  name: "Whence, without code",
  init(sinkUrl, context) {
    process.env.WHENCE_API_KEY = "whk_bench";
    process.env.WHENCE_ENDPOINT = sinkUrl;
    process.env.WHENCE_SERVICE = "bench";
    context.require("@whence/node/register");
    sdk = context.require("@whence/node");
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
  expressSetup() {
    // Nothing is added to the program: that is what is measured.
  },
  fastifySetup() {
    // Likewise.
  },
};
