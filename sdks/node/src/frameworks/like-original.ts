/** Gives a wrapper the name and the number of parameters of what it wraps: callers look at them. */
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
