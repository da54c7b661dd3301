export { init } from "@sentry/browser";
