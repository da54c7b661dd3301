const { env } = process;

// Node's watch mode makes threads report their imports in messages, which would mix with our threads' answers.
delete env.WATCH_REPORT_DEPENDENCIES;
/** The address of Vite, which serves the application. */
env.WHENCE_APP_URL ??= "http://127.0.0.1:4010";

await import("./src/main.ts");
