"use strict";
// Replaces the client when a program runs without it.
const nothing = () => undefined;
module.exports = { init: nothing, captureException: nothing, captureMessage: nothing, addBreadcrumb: nothing };
