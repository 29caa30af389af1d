import { sanitise } from "../sanitise.js";
import type { Actions } from "./actions.js";
import type { Fold } from "./model/folds.js";
import type { ShellCommand } from "./shell-command.js";

/** Commands that the person runs with `!`, one at a time. */
export class PersonCommand {
  readonly #actions: Pick<Actions, "run" | "printOutput">;
  #running: Promise<ShellCommand> | undefined;
  #shown: ShellCommand | undefined;
  #output: Extract<Fold, { type: "output" }> | undefined;
  #over: Promise<void> = Promise.resolve();

  constructor(actions: Pick<Actions, "run" | "printOutput">) {
    this.#actions = actions;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get shown(): ShellCommand | undefined {
    return this.#shown;
  }

  /** Returns the output of the last command when it is complete; `undefined` if no command has ended. */
  async outputAtEnd(): Promise<Extract<Fold, { type: "output" }> | undefined> {
    await this.#over;
    return this.#output;
  }

  /** Runs a command line, and prints its output. `changed` is called when the command has started and ended. */
  run(line: string, changed: () => void): Promise<void> {
    const run = this.#run(line, changed);
    this.#over = run.catch(() => undefined);
    return run;
  }

  async #run(line: string, changed: () => void): Promise<void> {
    this.#running = this.#actions.run(line);
    try {
      const command = await this.#running;
      this.#shown = command;
      changed();
      await command.ended;
      const { text, exitStatus: exit } = command.state;
      this.#output = { type: "output", command: line, text: sanitise(text), ...(exit && { exit }) };
      this.#actions.printOutput(command);
    } finally {
      this.#running = undefined;
      this.#shown = undefined;
      changed();
    }
  }

  /** Ends the command and all processes that it has started. */
  async end(): Promise<void> {
    const command = await this.#running?.catch(() => undefined);
    await command?.end();
  }
}
