/** A stop that takes longer is aborted; its unfinished work is retried at the next start. */
const stopDeadlineMs = 15_000;

/** Stops in order on the first SIGTERM or SIGINT; a second one, or the deadline, ends the process at once. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    console.error(`${signal}: stopping`);
    setTimeout(() => process.exit(1), stopDeadlineMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
