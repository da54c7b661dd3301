/** Gives a wrapper the original's name and number of parameters, which callers check. */
export function likeOriginal<Wrapper extends object>(
  wrapper: Wrapper,
  original: { name: string; length: number },
): Wrapper {
  const { name, length } = original;
  return Object.defineProperties(wrapper, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
}
