"use strict";
// The lower bound for any client with breadcrumbs per request: one AsyncLocalStorage, one ring, one subscriber.
const { AsyncLocalStorage } = require("node:async_hooks");
const { subscribe } = require("node:diagnostics_channel");

const storage = new AsyncLocalStorage();
const ringLength = 100;
const own = { ring: [], at: 0 };

module.exports = {
  name: "floor: ALS + ring",
  init() {
    subscribe("http.client.request.start", ({ request }) => {
      const store = storage.getStore() ?? own;
      store.ring[store.at++ % ringLength] = { at: Date.now(), host: request.host, path: request.path };
    });
  },
  capture(error) {
    void error.stack;
  },
  breadcrumb(message, data) {
    own.ring[own.at++ % ringLength] = { at: Date.now(), message, data };
  },
  flush: () => Promise.resolve(),
  expressSetup(app, phase) {
    if (phase === "before") app.use((_request, _response, next) => storage.run({ ring: [], at: 0 }, next));
  },
  fastifySetup(app) {
    app.addHook("onRequest", (_request, _reply, done) => storage.run({ ring: [], at: 0 }, done));
  },
};
