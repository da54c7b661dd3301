/** A line of a stack, in any language, with nothing after it. */
export const call =
  /^(?:at [\w$<[(./].{0,400}|File ".{1,300}", line \d{1,9}(?:, in .{1,200})?|Traceback \(most recent call last\):|goroutine \d{1,12} \[.{1,60}\]:|(?:from )?\S{1,300}\.(?:rb|erb|haml|slim|rake):\d{1,9}:in .{1,200}|\S{1,300}\.go:\d{1,9}(?: \+0x[\da-f]{1,16})?(?: fp=\S{1,20} sp=\S{1,20} pc=\S{1,20})?|#\d{1,4} .{1,300}\(\d{1,9}\): .{1,200}|#\d{1,4} {1,8}(?![ #]|at ).{1,300} \((?:package|dart|file):.{1,300}:\d{1,9}\)|(?:#\d{1,4} )?(?:[\w$-]{1,80}[./]){2,20}[\w$<>]{1,80}\([\w$]{1,80}\.(?:java|kt|scala|groovy):\d{1,7}\)|\([\w.-]{1,60}(?: [\w.-]{1,40})?\) \S{1,300}\.(?:exs?|erl):\d{1,9}: .{1,300})$/;
/** What a line with a call contains, so that most lines are passed over quickly. */
export const callLike =
  /\bat \S|File "|Traceback \(|goroutine \d|\.(?:rb|erb|haml|slim|rake|go|exs?|erl|java|kt|scala|groovy):\d|#\d/;
