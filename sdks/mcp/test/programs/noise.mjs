// Prints repeatedly, like a dependency that isn't aware of the protocol.
setInterval(() => {
  console.log("noise by console.log");
  console.info("noise by console.info");
  process.stdout.write("noise by process.stdout.write\n");
}, 1).unref();
