"use strict";
const described = require("./describe.cjs");

exports.describe = described.describe;
exports.it = described.it;
exports.test = described.test;
exports.beforeAll = described.before;
exports.beforeEach = described.beforeEach;
exports.afterAll = described.after;
exports.afterEach = described.afterEach;
exports.expect = (...given) => globalThis.expect(...given);
exports.jest = { fn: (...given) => globalThis.jest.fn(...given), spyOn: (...given) => globalThis.jest.spyOn(...given) };
exports.vi = exports.jest;
