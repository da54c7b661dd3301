/** What never comes. */
export const never: Promise<never> = new Promise<never>(() => undefined);

/** Waits for `promise`, `ms` at most, and keeps the event loop alive meanwhile. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
