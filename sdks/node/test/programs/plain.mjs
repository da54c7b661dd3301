// A program without client code.
setTimeout(() => {
  throw new RangeError("out of stock");
}, 10);
