"use strict";
/** After as many of the client's ticks, whose timer was set before and is as slow. */
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
