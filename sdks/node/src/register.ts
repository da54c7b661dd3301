/** `node --import @whence/node/register`: starts the client before the program, with options from the environment. */

import { optionsFromEnvironment } from "./environment-options.ts";
import { watchFrameworks } from "./frameworks/without-code/watch-frameworks.ts";
import { init } from "./index.ts";

const options = optionsFromEnvironment();
init(options);
if (options.watchServers === true) watchFrameworks();
