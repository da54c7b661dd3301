"use strict";
// Lets what is done every few seconds be done fifty times as often, by the client too.
const timers = require("node:timers");
const { setInterval } = timers;
timers.setInterval = (run, ms) => setInterval(run, ms / 50);
globalThis.setInterval = timers.setInterval;
