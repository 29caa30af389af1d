/** Program with its arguments. */
export type CommandWords = readonly [program: string, ...args: string[]];

/** Command as it would run without a sandbox. */
export type SandboxCommand = {
  readonly argv: CommandWords;
  /** Folder inside the session's roots. */
  readonly cwd: string;
  /** Lets the command use the network, which includes services of this machine. */
  readonly network: boolean;
};

/** Command that starts the sandbox, and the work after its end. */
export type WrappedCommand = {
  readonly argv: CommandWords;
  /**
   * Takes protected files back that the command created. Called once after the end of the command.
   *
   * @returns a sentence for each file that was moved
   */
  finish(): Promise<readonly string[]>;
};

/** Confinement of commands to the folders of one session. */
export interface Sandbox {
  /** Name for the user, such as `bubblewrap`. */
  readonly name: string;
  /** @throws SandboxError if the command cannot be confined */
  wrap(command: SandboxCommand): Promise<WrappedCommand>;
  /** Returns a sentence on the limit that a failed command has met, by its output; `undefined` if none is recognised. */
  explain(stderr: string): string | undefined;
}

/** Sandbox of this machine, or the reason for its absence as a part of a sentence. */
export type FoundSandbox = { readonly sandbox: Sandbox } | { readonly sandbox?: undefined; readonly reason: string };

/** Reason why one command cannot be confined, as a part of a sentence. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}
