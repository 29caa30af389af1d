import { messageOf, ToolError } from "../errors.js";
import {
  type FoundSandbox,
  type Sandbox,
  type SandboxCommand,
  SandboxError,
  type SandboxMode,
  type WrappedCommand,
} from "./sandbox.js";

/** Place where a command can run: in the sandbox or outside. */
export type Place = {
  /** Description of the place for questions. */
  readonly name: string;
  /** `true` if the mode `auto` runs commands here without a question. */
  readonly isFree: boolean;
  /** `true` if each command at this place needs its own question. */
  readonly isException: boolean;
  readonly network: boolean;
  /** Absent if the place is outside of the sandbox. */
  readonly sandbox?: Sandbox;
};

/** Deviation from the default place that the model requests. */
export type Wish = {
  /** Reason to run the command outside of the sandbox, as a part of a sentence. */
  readonly outside?: string;
  readonly network: boolean;
};

type Options = {
  readonly mode: SandboxMode;
  readonly network: boolean;
  readonly open: () => Promise<FoundSandbox>;
  /** Called once in the mode `auto` if there is no sandbox, with the reason. */
  readonly onMissing: (reason: string) => void;
};

export type SandboxChoice = ReturnType<typeof createSandboxChoice>;

export function createSandboxChoice({ mode, network: isAllowed, open, onMissing }: Options) {
  let opened: Promise<FoundSandbox> | undefined;
  let sandbox: Sandbox | undefined;
  const found = (): Promise<FoundSandbox> => {
    opened ??= open()
      .catch((error: unknown): FoundSandbox => ({ reason: messageOf(error) }))
      .then((result) => {
        sandbox = result.sandbox;
        if (result.sandbox === undefined && mode === "auto") onMissing(result.reason);
        return result;
      });
    return opened;
  };
  /**
   * Returns the place outside of the sandbox.
   *
   * @throws ToolError in the mode `require`
   */
  const outside = (reason: string, isException: boolean): Place => {
    if (mode === "require") {
      throw new ToolError(
        "denied",
        `The command was not run: the agent runs commands only in a sandbox, but ${reason}.`,
      );
    }
    return { name: `not sandboxed: ${reason}`, isFree: false, isException, network: true };
  };
  return {
    /** Begins to search for the sandbox, so that the first command need not wait. */
    prepare(): void {
      if (mode !== "off") void found();
    },
    /** Removes the temporary files of the session's commands. Never rejects. */
    close: async (): Promise<void> => sandbox?.close?.(),
    /**
     * Returns the place for a command.
     *
     * @throws ToolError if the command must not run at any place
     */
    async place({ outside: wish, network }: Wish): Promise<Place> {
      if (mode === "off") return outside("the sandbox is off", false);
      const result = await found();
      if (result.sandbox === undefined) return outside(result.reason, false);
      if (wish !== undefined) return outside(wish, true);
      return {
        name: network || isAllowed ? "sandboxed, with network" : "sandboxed, no network",
        isFree: isAllowed || !network,
        isException: false,
        network: network || isAllowed,
        sandbox: result.sandbox,
      };
    },
    /**
     * Prepares a command for its place. If the sandbox cannot run the command, returns a place outside of the sandbox.
     *
     * @throws ToolError in the mode `require`
     */
    async enter(
      { sandbox, network }: Place,
      command: Omit<SandboxCommand, "network">,
    ): Promise<WrappedCommand | Place> {
      if (sandbox === undefined) return { argv: command.argv, finish: async () => [] };
      try {
        return await sandbox.wrap({ ...command, network });
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        return outside(error.message, error.asksEachTime);
      }
    },
  };
}
