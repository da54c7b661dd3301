const keys = new Map();

exports.requestKey = async () => {
  await new Promise((done) => setTimeout(done, 2));
  const key = `k${keys.size}`;
  keys.set(key, Math.floor(Date.now() / 1000) + 2);
  return { apiKey: key, exp: Math.floor(Date.now() / 1000) + 2 };
};

exports.readForecast = async (apiKey, plot) => {
  await new Promise((done) => setTimeout(done, 15));
  if (keys.get(apiKey) <= Date.now() / 1000) return { code: 401, message: 'invalid API key' };
  return { code: 200, plot, litres: 4.5 };
};
