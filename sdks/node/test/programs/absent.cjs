"use strict";
// In the client's place when a program runs without it.
const nothing = () => undefined;
module.exports = { init: nothing, captureException: nothing, captureMessage: nothing, addBreadcrumb: nothing };
