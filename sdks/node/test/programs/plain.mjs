// Knows nothing of the client.
setTimeout(() => {
  throw new RangeError("out of stock");
}, 10);
