"use strict";
// A service without client code, in the framework of the first argument, with the packages after it.
const { createRequire } = require("node:module");
const { ask } = require("./ask.cjs");
const services = require("./services.cjs");

const [, , framework, ...packages] = process.argv;
const load = createRequire(process.env.PACKAGES_OF || __filename);
const listener = services[framework](...packages.map((name) => load(name)));
if (framework === "nestjs") void listener.then(ask);
else ask(listener);
