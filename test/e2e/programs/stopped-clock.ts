/**
 * Loaded before the server: its clock stands at `CLOCK_MS`. A code of an authenticator app stays valid, and remembered as
 * used, however long a test takes.
 */
const standing = Number(process.env.CLOCK_MS);
Date.now = () => standing;
