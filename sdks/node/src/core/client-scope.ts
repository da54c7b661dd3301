import { AsyncResource } from "node:async_hooks";

/** A scope of the client's own: what is started in it keeps the context of no request alive. */
export class ClientScope extends AsyncResource {
  constructor() {
    super("WhenceClient");
  }

  /** Asked by those who look for what keeps a process alive, as `jest --detectOpenHandles` does. */
  hasRef(): boolean {
    return false;
  }
}
