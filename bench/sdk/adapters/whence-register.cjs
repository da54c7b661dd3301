"use strict";
// @whence/node as started by `node --import @whence/node/register`: the program contains no code for the client.
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
    // Nothing is added to the program, which is what is measured.
  },
  fastifySetup() {
    // Likewise.
  },
};
