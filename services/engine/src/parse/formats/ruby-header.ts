import { parseHeader } from "../header.ts";

/** The name and message of a Ruby error. */
export interface RubyError {
  readonly type: string;
  readonly message: string;
}

/** `NoMethodError (undefined method 'x' for nil):`, `ActionView::Template::Error (…):`, `WARN: Type: message`. */
const railsHeader = /(?:^|\s)((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{1,80}) \((.{0,4000})\):?$/;
const plainHeader =
  /(?:^|\s)((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{1,80}(?:Error|Exception|NotFound|Invalid|Timeout|Denied)|(?:[A-Z]\w{0,80}::){1,8}Error): (.{0,4000})$/;
/** Right above the first frame, a name with its module is an error's name, whatever it ends in. */
const moduleHeader = /(?:^|\s)((?:[A-Z]\w{0,80}::){1,8}[A-Z]\w{1,80}): (.{0,4000})$/;
/** `failed to flush error_class=NoMethodError error="undefined method 'x' for nil"`, as Fluentd logs it. */
const fluentdHeader = /\berror_class=((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{1,80}) error="(.{0,4000}?)"(?: [a-z_]{1,40}=|$)/;
/** Rails' own line, with the colon that announces the calls, whether or not any follow. */
const announced = /^(?:\[[^\]]{1,80}\] ?){0,4}((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{1,80}) \((.{1,4000})\):$/;
/** `undefined method 'x' for nil (NoMethodError)`, as an error describes itself; others end a line with a plain name. */
const described =
  /^(?:\S.{0,80}(?:ERROR|FATAL)\b[ :-]{1,6})?(\S.{0,4000}) \(((?:[A-Z]\w{0,80}::){1,8}[A-Z]\w{1,80}|[A-Z]\w{0,80}(?:Error|Exception|NotFound|Invalid|Timeout|Denied))\)$/;
/** What RubyGems prints above the message of an error. */
const gemCommand = /^\s*ERROR: {1,2}While executing gem \.\.\. \(((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{1,80})\)$/;

/** What Rails applications send by mail: `A NoMethodError occurred in orders#show:`. */
const notified =
  /^An? ((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{1,80}) occurred (?:in \S{1,200}|in background)(?: at .{1,60})?:?$/;

/** Returns the error that a line above the calls names; `isRightAbove` when nothing stands between them. */
export function errorAboveCalls(line: string, isRightAbove: boolean): RubyError | null {
  const found =
    fluentdHeader.exec(line) ??
    railsHeader.exec(line) ??
    plainHeader.exec(line) ??
    (isRightAbove ? moduleHeader.exec(line) : null);
  const [, message, type] = (isRightAbove ? described.exec(line) : null) ?? [];
  if (!found && type !== undefined && message !== undefined) return { type, message };
  return errorOf(found) ?? parseHeader(line);
}

/** Returns the type of an error on a line that the message is below; null for another line. */
export function typeAboveMessage(line: string): string | null {
  return (gemCommand.exec(line) ?? notified.exec(line))?.[1] ?? null;
}

/** Returns the error that a line names unmistakably, without any calls. */
export function errorWithoutCalls(line: string): RubyError | null {
  return errorOf(fluentdHeader.exec(line) ?? announced.exec(line));
}

function errorOf(found: RegExpExecArray | null): RubyError | null {
  return found?.[1] === undefined ? null : { type: found[1], message: found[2] ?? "" };
}
