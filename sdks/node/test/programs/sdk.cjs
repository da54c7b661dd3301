"use strict";
// The client as a program has it; when the same program runs without, something that does nothing.
const nothing = () => undefined;
const absent = {
  init: nothing,
  captureException: nothing,
  captureMessage: nothing,
  addBreadcrumb: nothing,
  flush: nothing,
};
const sdk = process.env.WHENCE_SDK ? require(process.env.WHENCE_SDK) : absent;
sdk.init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, service: "program" });
module.exports = sdk;
