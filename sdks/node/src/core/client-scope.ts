import { AsyncResource } from "node:async_hooks";

/** The client's own async scope: work started in it keeps no request's context alive. */
export class ClientScope extends AsyncResource {
  constructor() {
    super("WhenceClient");
  }

  /** Called by tools that look for what keeps a process alive, such as `jest --detectOpenHandles`. */
  hasRef(): boolean {
    return false;
  }
}
