/** Lets whatever else the program has to do go first. */
export async function nextTurn(): Promise<void> {
  await new Promise((continued) => {
    setImmediate(continued);
  });
}
