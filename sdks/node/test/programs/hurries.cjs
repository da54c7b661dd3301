"use strict";
// Lets what is done every few seconds be done fifty times as often.
const { setInterval } = globalThis;
globalThis.setInterval = (run, ms) => setInterval(run, ms / 50);
