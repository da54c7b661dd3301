import type { SenderApp } from "./alert-senders/sender-app.ts";
import { sentryApp } from "./sentry/sender-app.ts";
import { vercelApp } from "./vercel/sender-app.ts";

/** Every application that can be installed at a sender. */
export const senderApps: readonly SenderApp[] = [sentryApp, vercelApp];
