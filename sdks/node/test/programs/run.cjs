"use strict";
// Ends as its argument says. Starts the client first, or after that ending's `listen`.
const client = require("#client");
const { endings, start } = require("./endings.cjs");

start(endings[process.argv[2]], client, __filename);
