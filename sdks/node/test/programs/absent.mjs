// Replaces the client when a program runs without it.
export const init = () => undefined;
export const captureException = () => undefined;
export const captureMessage = () => undefined;
export const addBreadcrumb = () => undefined;
