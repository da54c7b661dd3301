"use strict";
// Errors of one shape: a stack of 20 frames, and three causes of 20 frames each.
class UpstreamError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "UpstreamError";
    this.code = "E_UPSTREAM";
  }
}

function deep(depth, make) {
  return depth === 0 ? make() : deep(depth - 1, make);
}

function makeError(number) {
  Error.stackTraceLimit = 20;
  return deep(24, () => {
    const reset = new Error(`connection reset by peer ${number}`);
    const query = new UpstreamError(`query failed ${number}`, { cause: reset });
    const repository = new TypeError(`repository failed ${number}`, { cause: query });
    const error = new Error(`could not load order MK${number}#`, { cause: repository });
    error.orderId = `ord_${number}`;
    return error;
  });
}

module.exports = { makeError };
