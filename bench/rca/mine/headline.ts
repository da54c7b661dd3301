const pythonStart = "Traceback (most recent call last):";

/** Returns the line of a log that names the uncaught error. */
export function headlineOf(log: string): string {
  const lines = log.split("\n");
  const start = lines.lastIndexOf(pythonStart);
  return (start < 0 ? lines[0] : lines.slice(start + 1).find((line) => /^\S/.test(line))) ?? "";
}
