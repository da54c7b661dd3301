import { installMachine } from "./machine.ts";
import { installNetwork } from "./network.ts";
import { installVirtualTime, VirtualTime } from "./virtual-time.ts";

let current = new VirtualTime(0);
let isInstalled = false;

/** Makes this the clock of the simulated processes of this thread, whose globals are replaced when it is first called. */
export function useTime(time: VirtualTime): void {
  current = time;
  if (isInstalled) return;
  isInstalled = true;
  installVirtualTime(() => current);
  installNetwork(() => current);
  installMachine(() => current);
}
