import { minuteMs } from "@whence/protocol";
import { Fragment, type JSX } from "react";
import { age, fullTime, sentenceTime, writtenTimes } from "../lib/times.ts";
import { useNow } from "../lib/use-now.ts";

const everyMs = 10_000;
const everyMinuteMs = minuteMs;

/** The age of a time, with the full time on hover. */
export function TimeAgo({ at }: { readonly at: string }): JSX.Element {
  const now = useNow(everyMs);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {age(at, now)}
    </time>
  );
}

/** A time for a sentence, with the full time on hover. Text that isn't a time stays as it is. */
export function Moment({ at }: { readonly at: string }): JSX.Element {
  const now = useNow(everyMinuteMs);
  if (Number.isNaN(Date.parse(at))) return <>{at}</>;
  return (
    <time dateTime={at} title={fullTime(at)}>
      {sentenceTime(at, now)}
    </time>
  );
}

/** Text whose times are in the reader's time zone. */
export function Timed({ text }: { readonly text: string }): JSX.Element {
  const times = text.match(writtenTimes) ?? [];
  return (
    <>
      {text.split(writtenTimes).map((part, index) => {
        const at = times[index];
        return (
          <Fragment key={index}>
            {part}
            {at === undefined ? null : <Moment at={at} />}
          </Fragment>
        );
      })}
    </>
  );
}
