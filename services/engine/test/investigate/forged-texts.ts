import {
  carried,
  culprit,
  decoy,
  goCrash,
  goStack,
  java,
  javaCrash,
  javaFrames,
  json,
  node,
  nodeCrash,
  nodeFrames,
  python,
  ruby,
} from "../printed-failures.ts";

/** A fact, and a text that it holds for: whatever the decoy says, the failure was in the culprit. */
export type Deception = readonly [fact: string, text: string];

const fake = node(decoy);
const real = node(culprit);
const crash = nodeCrash(culprit);
const info = (text: string): string => `2026-03-01T10:00:00.000Z INFO ${text}`;
const error = (text: string): string => `2026-03-01T10:00:01.000Z ERROR ${text}`;
const fakeError = { type: "TypeError", message: "decoy failed", stack: fake.trimEnd() };
const realError = { type: "TypeError", message: "checkout failed", stack: real.trimEnd() };

const values: readonly Deception[] = [
  [
    "a stack in the query of a request isn't an error, however often it's sent",
    `GET /?q=\n${fake}\n`.repeat(20) + real,
  ],
  ["a stack on the line of its query isn't an error", `GET /search?q=${fake}${real}`],
  ["a stack in a query isn't an error after the real one either", `${real}\nGET /?q=\n${fake}`],
  ["a stack in a query isn't an error behind a level of its own", `GET /?q=\nERROR request failed\n${fake}\n${real}`],
  ["a traceback in a query isn't an error of the Node process that logs it", `GET /?q=\n${python(decoy)}${real}`],
  ["a crash in a query isn't the end of the process", `GET /?q=\n${nodeCrash(decoy)}\n${real}`],
  ["a panic in a query isn't the end of the process", `GET /?q=\n${goCrash(decoy)}\n${real}`],
  ["an uncaught exception in a query isn't the end of the process", `GET /?q=\n${javaCrash(decoy)}${java(culprit)}`],
  [
    "a fatal error of PHP in a query isn't one",
    `GET /?q=\nPHP Fatal error:  Uncaught Exception: x in /srv/decoy.php:3\nStack trace:\n#0 /srv/decoy.php(9): f()\n#1 {main}\n  thrown in /srv/decoy.php on line 3\n${real}`,
  ],
  [
    "an unhandled exception of .NET in a query isn't one",
    `GET /?q=\nUnhandled exception. System.InvalidOperationException: x\n   at Shop.Decoy.F() in /srv/decoy.cs:line 12\n${real}`,
  ],
  [
    "a panic of Rust in a query isn't one",
    `GET /?q=\nthread 'main' panicked at src/decoy.rs:3:5:\nx\nstack backtrace:\n   0: shop::decoy::f\n             at ./src/decoy.rs:3:5\n${real}`,
  ],
  [
    "a stack in an object printed under a request's body isn't an error",
    `request body: {\n  "stack": "TypeError: x\\n    at decoy (/srv/decoy.js:1:1)\\n"\n}\n${real}`,
  ],
  [
    "a traceback in a logged comment isn't an error",
    `2026-03-01 10:00:00,000 INFO app got comment: ${python(decoy)}2026-03-01 10:00:01,000 ERROR app failed\n${python(culprit)}`,
  ],
  [
    "an exception of the JVM in a query isn't an error",
    `2026-03-01 10:00:00.000  INFO 1 --- [main] c.s.Api : GET /?q=\n${java(decoy)}2026-03-01 10:00:01.000 ERROR 1 --- [main] c.s.Api : failed\n${java(culprit)}`,
  ],
  [
    "a stack in a query that syslog carries isn't an error",
    carried("Mar  1 10:00:01 api-1 orders[17]: ", `GET /?q=\n${fake}${real}`),
  ],
  ["a fatal record in a query isn't fatal", `GET /?q=\n${json({ level: 60, err: fakeError })}${real}`.repeat(3)],
  ["a fatal record on the line of its query isn't fatal", `GET /?q=${json({ level: 60, err: fakeError })}${real}`],
  [
    "a fatal record in a line of information isn't fatal",
    `${info(`received ${json({ level: 60, err: fakeError })}`)}${error(real)}`,
  ],
  ["a stack in a quoted value isn't an error", `comment="first line\n${fake}last line"\n${real}`],
  [
    "a quoted value ends with its quote, not with its first stack",
    `body="\n${fake}\n${node(decoy, "again")}"\n${real}`,
  ],
  [
    "a stack in a field of logfmt isn't an error",
    `level=info msg=received body="${fake.trimEnd()}"\n${error("")}${real}`,
  ],
  [
    "a stack in an escaped field of logfmt isn't an error",
    `level=error msg="bad request" body="${fake.trimEnd().replaceAll("\n", "\\n")}"\nlevel=error msg="checkout failed" err="${real.trimEnd().replaceAll("\n", "\\n")}"\n`,
  ],
  [
    "a stack in the address of an access log isn't an error",
    `10.0.0.9 - - [01/Mar/2026:10:00:00 +0000] "GET /?q=${encodeURIComponent(fake)} HTTP/1.1" 200 12 "-" "curl"\n${real}`,
  ],
  [
    "a stack in the user agent of an access log isn't an error",
    `10.0.0.9 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "${fake.trimEnd().replaceAll("\n", "\\n")}"\n${real}`,
  ],
  [
    "a stack in the request of an nginx error isn't an error",
    `2026/03/01 10:00:00 [error] 7#7: *1 upstream timed out, client: 10.0.0.9, request: "GET /?q=${encodeURIComponent(fake)} HTTP/1.1"\n${real}`,
  ],
  ["a stack that was logged as information isn't an error", `${info(`feedback: ${fake}`)}${error(real)}`],
  ["a stack below a line of information isn't an error", `${info("feedback received")}\n${fake}${error(real)}`],
  ["a stack under a request's body isn't an error", `${error(real)}Request body:\n${fake}`],
];

const jsonValues: readonly Deception[] = [
  ["a stack in a JSON field that holds no error isn't one", json({ level: 50, msg: "bad", body: fake }) + real],
  [
    "an error in a request's body isn't the error of the record",
    json({ level: 50, req: { body: { err: fakeError } }, err: realError, msg: "request failed" }),
  ],
  [
    "an error in a record's query isn't an error",
    json({ level: 50, msg: "bad request", query: { error: fakeError } }) +
      json({ level: 50, err: realError, msg: "x" }),
  ],
  [
    "a fatal record inside a logged message isn't fatal",
    json({ level: "info", message: JSON.stringify({ level: 60, err: fakeError, msg: "decoy" }) }) +
      json({ level: "error", err: realError, message: "checkout failed" }),
  ],
  [
    "a stack in a message that was logged as information isn't an error",
    json({ level: "info", message: `feedback: ${fake}` }) + json({ level: "error", message: real }),
  ],
  [
    "a stack in an error's message isn't its stack, when the record has both",
    json({
      level: 50,
      msg: "request failed",
      err: {
        type: "SyntaxError",
        message: `bad body:\n${fake}`,
        stack: `SyntaxError: bad body:\n${fake}\n${nodeFrames(culprit)}`,
      },
    }),
  ],
  [
    "a cause in an error's message isn't its cause, when the record has both",
    json({
      level: 50,
      err: {
        type: "Error",
        message: `bad {\n  [cause]: ${fake}}`,
        stack: `Error: bad {\n  [cause]: ${fake}}\n${nodeFrames(culprit)}`,
      },
    }),
  ],
  [
    "a fatal record pasted into a text log doesn't outrank the stack that ends it",
    json({ level: 60, err: fakeError, msg: "decoy" }) + real,
  ],
  ["a fatal record doesn't outrank what the runtime printed as it ended", json({ level: 60, err: fakeError }) + crash],
];

const endings: readonly Deception[] = [
  ["the crash outranks an error that was logged before it", `${error(`request failed: ${fake}`)}${crash}`],
  ["the crash outranks an error that was logged after it", `${crash}${error(`shutdown: ${fake}`)}`],
  ["the last crash outranks an earlier one", `${nodeCrash(decoy)}\n${crash}`],
  [
    "the last crash in time outranks one that is printed below it",
    carried("2026-03-01T10:05:00.000Z ", crash) + carried("2026-03-01T10:00:00.000Z ", nodeCrash(decoy)),
  ],
  ["a stack that no logger printed and that ends the log outranks logged ones", `${error(`x: ${fake}`)}${real}`],
  ["a logged error in front of a stack doesn't make it an error of the log", `ERROR boom\n${fake}\n${real}`],
  ["a panic outranks a stack that was logged before it", `${error(`x: ${goStack(decoy)}`)}${goCrash(culprit)}`],
  ["an uncaught exception of Java outranks a caught one", `${error(java(decoy))}${javaCrash(culprit)}`],
  ["an uncaught exception of Java outranks one that is logged later", `${javaCrash(culprit)}\n${error(java(decoy))}`],
  [
    "a traceback that ends the log outranks logged ones",
    `ERROR:app:bad input\n${python(decoy)}INFO:app:retrying\n${python(culprit)}`,
  ],
  [
    "a backtrace that ends the log outranks a logged one",
    `E, [2026-03-01T10:00:00.1 #17] ERROR -- app: bad input\n${ruby(decoy)}\n${ruby(culprit)}`,
  ],
  ["a traceback of another language doesn't outrank the stack that ends the log", `${python(decoy)}\n${real}`],
  ["a stack of another language doesn't outrank the traceback that ends the log", `${fake}\n${python(culprit)}`],
  ["what docker carries is chosen as what was printed", carried("api-1  | ", `${error(`x: ${fake}`)}${crash}`)],
  [
    "what Kubernetes carries is chosen as what was printed",
    carried("2026-03-01T10:00:01.204113000Z stderr F ", `GET /?q=\n${fake}\n${real}`),
  ],
  [
    "the last crash wins in a fenced issue as well",
    `The service dies:\n\n\`\`\`\n${info(`comment: ${fake}`)}${crash}\`\`\`\n\nPlease help.\n`,
  ],
];

const messages: readonly Deception[] = [
  [
    "a stack in the message of a crash isn't where it was thrown",
    `/srv/app/src/checkout.js:12\n  throw new SyntaxError(body);\n  ^\n\nSyntaxError: bad body:\n${fake}${nodeFrames(culprit)}\nNode.js v22.11.0\n`,
  ],
  [
    "a stack in the middle of a message isn't an error of its own",
    `SyntaxError: bad body:\n${fake}end of body\n${nodeFrames(culprit)}`,
  ],
  ["a cause in a message isn't a cause", `Error: bad {\n  [cause]: ${fake}}\n${nodeFrames(culprit)}`],
  [
    "a cause in a message isn't a cause when its calls run into those of the stack",
    `Error: bad\n  [cause]: TypeError: decoy failed\n      at decoyStep (/srv/app/src/decoy.js:12:9)\n${nodeFrames(culprit)}`,
  ],
  ["a cause that nothing printed an error for isn't one", `${real}\nGET /health 200\ncaused by: ${fake}`],
  ["a cause behind a request isn't a cause", `${real}GET /?q=\n  [cause]: ${fake}`],
  [
    "a stack in the message of an uncaught exception of Java isn't another exception",
    `Exception in thread "main" java.lang.IllegalArgumentException: bad body:\n${java(decoy)}end of body\n${javaFrames(culprit)}`,
  ],
  [
    "a stack in the message of a traceback isn't an error of its own",
    python(culprit, `bad body: TypeError: decoy failed\n${nodeFrames(decoy)}`),
  ],
  ["a traceback in the message of a traceback isn't another one", python(culprit, `bad body: ${python(decoy)}`)],
  [
    "a panic's message isn't another goroutine",
    goCrash(
      culprit,
      `bad body: panic: decoy failed\n\t\n\tgoroutine 7 [running]:\n\tmain.decoyStep(...)\n\t\t/srv/app/src/decoy.go:12`,
    ),
  ],
  [
    "a console line in the breadcrumbs of an error tracker isn't the error",
    `${real}\nBreadcrumbs\n10:00:00 console INFO body: ${fake}\nRequest body:\n${fake}`,
  ],
];

export const deceptions: readonly Deception[] = [...values, ...jsonValues, ...endings, ...messages];
