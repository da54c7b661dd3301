/** `node --import @whence/node/register`: starts the client before the program, as the environment says. */
import { init } from "./index.ts";
import { optionsFromEnvironment } from "./options.ts";

init(optionsFromEnvironment());
