import type { Command } from './commands.ts';

/** Runs commands; what fails is printed, and the next one runs. */
export function reportErrors(execute: (command: Command) => unknown): (command: Command) => unknown {
  return (command) => {
    try {
      return execute(command);
    } catch (error) {
      const { name, message, stack } = error as Error;
      if (name === 'Refused') return message;
      console.error(`command ${command.type} failed`);
      console.error(stack);
      return undefined;
    }
  };
}

export class Refused extends Error {
  override name = 'Refused';
}
