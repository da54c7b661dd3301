/** A failure of the demo; its message is the line that a person reads. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}
