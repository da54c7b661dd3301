import type { QueuePlace } from "./opened-queue.ts";
import { describeQueueDeadLetter } from "./queue-dead-letter.contract.ts";
import { describeQueueDelivery } from "./queue-delivery.contract.ts";
import { describeQueueWaiting } from "./queue-waiting.contract.ts";

/** What every adapter of a queue does. */
export function describeQueue(name: string, makePlace: () => QueuePlace): void {
  describeQueueDelivery(name, makePlace);
  describeQueueDeadLetter(name, makePlace);
  describeQueueWaiting(name, makePlace);
}
