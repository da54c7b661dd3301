"use strict";
/** Resolves after this many of the client's ticks, whose timer is older and has the same interval. */
module.exports = async function laterTicks(count) {
  for (let tick = 0; tick < count; tick++) {
    await new Promise((resolve) => {
      const timer = setInterval(() => {
        clearInterval(timer);
        resolve();
      }, 5_000);
    });
  }
};
