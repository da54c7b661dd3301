// What a dependency does that was not made for this: it prints, again and again.
setInterval(() => {
  console.log("noise by console.log");
  console.info("noise by console.info");
  process.stdout.write("noise by process.stdout.write\n");
}, 1).unref();
