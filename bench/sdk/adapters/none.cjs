"use strict";
// The baseline: no client. A captured error has its stack read, the least that any client does.
const nothing = () => undefined;

module.exports = {
  name: "none",
  init: nothing,
  capture(error) {
    void error.stack;
  },
  breadcrumb: nothing,
  flush: () => Promise.resolve(),
  expressSetup: nothing,
  fastifySetup: nothing,
};
