export const sandboxModes = ["require", "auto", "off"] as const;

/**
 * Use of the sandbox:
 *
 * - `require`: every command runs in the sandbox, or not at all
 * - `auto`: if there is no sandbox, commands run without it, and each question says so
 * - `off`: no command runs in the sandbox
 */
export type SandboxMode = (typeof sandboxModes)[number];

export type CommandWords = readonly [program: string, ...args: string[]];

/** Command before the sandbox is added. */
export type SandboxCommand = {
  readonly argv: CommandWords;
  /** Working folder, which is inside the session's roots. */
  readonly cwd: string;
  /** `true` allows the network, including services of this machine. */
  readonly network: boolean;
};

/** Command that starts the sandbox, and a function to call after the command. */
export type WrappedCommand = {
  readonly argv: CommandWords;
  /**
   * Renames protected files that the command has created. Call it once, after the command has ended.
   *
   * @param graceMs longest time of the work, in milliseconds; no limit by default. The rest is done before the next command,
   *   whose `finish` returns the sentences.
   * @returns a sentence for each renamed file, for each replaced link, and for each place that could not be searched
   */
  finish(graceMs?: number): Promise<readonly string[]>;
};

/** Sandbox for commands, which restricts them to the folders of one session. */
export interface Sandbox {
  /**
   * Returns the command that runs in the sandbox.
   *
   * @throws SandboxError if the sandbox cannot run the command
   */
  wrap(command: SandboxCommand): Promise<WrappedCommand>;
  /**
   * Returns a sentence about the limit that caused the failure of a command, according to its stderr. Returns
   * `undefined` if no limit is recognised.
   */
  explain(stderr: string): string | undefined;
  /** Removes the temporary files of the session's commands. Never rejects. */
  close?(): Promise<void>;
}

/** Sandbox of this machine. If there is none, the reason as a part of a sentence. */
export type FoundSandbox = { readonly sandbox: Sandbox } | { readonly sandbox?: undefined; readonly reason: string };

/** Error with the reason why the sandbox cannot run a command, as a part of a sentence. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  /** `true` if a person must be asked each time before a command runs outside of the sandbox. */
  readonly asksEachTime: boolean;

  constructor(message: string, { asksEachTime = false }: { readonly asksEachTime?: boolean } = {}) {
    super(message);
    this.asksEachTime = asksEachTime;
  }
}
