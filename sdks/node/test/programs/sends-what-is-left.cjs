"use strict";
// A start of a service that does nothing, while its client sends what an earlier start left.
const { init } = require("#client");

const [, , service, env] = process.argv;
const { WHENCE_API_KEY: apiKey = "whk_test", WHENCE_ENDPOINT: endpoint } = process.env;
init({ apiKey, endpoint, service, env });
setTimeout(() => undefined, 600_000);
