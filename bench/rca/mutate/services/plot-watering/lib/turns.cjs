let tail = Promise.resolve();

/** Runs one after the other. */
exports.inTurn = (work) => {
  const mine = tail.then(work);
  tail = mine.then(
    () => {},
    () => {},
  );
  return mine;
};
