export { parserOf } from "../src/trace/lower/grammars.ts";
export { announced, announcedSubject, type Investigated, investigated, textSubject } from "./investigated.ts";
export {
  call,
  eventSubject,
  exception,
  foreignFrame,
  frameAt,
  type Program,
  type Reported,
  reportedEvent,
} from "./reported-event.ts";
