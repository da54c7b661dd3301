const { env } = process;

// Node's watch mode has threads tell it what they import by messages, which come among the answers that ours give.
delete env.WATCH_REPORT_DEPENDENCIES;
/** Where Vite serves the application, and people open it. */
env.WHENCE_APP_URL ??= "http://127.0.0.1:4010";

await import("./src/main.ts");
