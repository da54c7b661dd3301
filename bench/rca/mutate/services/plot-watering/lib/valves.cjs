const { options } = require('./options.cjs');

let inUse = 0;
const waiting = [];

function acquire() {
  if (inUse < options.valve.connections) {
    inUse += 1;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no valve connection within ${options.valve.timeout} ms`)), options.valve.timeout);
    waiting.push(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function release() {
  const next = waiting.shift();
  if (next) next();
  else inUse -= 1;
}

exports.openValve = async (plot, seconds) => {
  await acquire();
  try {
    await new Promise((done) => setTimeout(done, Math.min(seconds, 0.15) * 1000));
    return { plot, seconds };
  } finally {
    release();
  }
};
