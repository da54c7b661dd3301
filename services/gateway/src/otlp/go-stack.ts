const goroutine = /^goroutine \d{1,12} \[/;
const recording = /^go\.opentelemetry\.io\/otel\//;
const panicking = /^panic\(/;

/**
 * Returns the stack that Go's SDK took when it recorded an error, without the calls that recorded it and, of a panic,
 * those that were made while it unwound. Any other stack stays as it is.
 */
export function withoutRecording(stack: string): string {
  const [head = "", ...lines] = stack.split("\n");
  if (!goroutine.test(head)) return stack;
  // A call is two lines: its name and its place.
  let first = 0;
  while (recording.test(lines[first] ?? "")) first += 2;
  if (panicking.test(lines[first] ?? "")) first += 2;
  return [head, ...lines.slice(first)].join("\n");
}
