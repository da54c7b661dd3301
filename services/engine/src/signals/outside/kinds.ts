import { changeEvent } from "./change-event.ts";
import { log } from "./log.ts";
import { problem } from "./problem.ts";
import { record } from "./record.ts";

/** Every kind of finding of a connected third party. */
export const outsideKinds = {
  [changeEvent.name]: changeEvent,
  [problem.name]: problem,
  [log.name]: log,
  [record.name]: record,
};
