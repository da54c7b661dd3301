"use strict";
// Ends as its argument says. Before that it starts the client, or after `listen` of that ending.
const client = require("#client");
const { endings, start } = require("./endings.cjs");

start(endings[process.argv[2]], client, __filename);
