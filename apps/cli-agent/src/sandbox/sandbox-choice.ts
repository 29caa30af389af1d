import { messageOf, ToolError } from "../errors.js";
import { type FoundSandbox, type Sandbox, type SandboxCommand, SandboxError, type WrappedCommand } from "./sandbox.js";
import type { SandboxMode } from "./sandbox-mode.js";

/** Place where a command would run. */
export type Place = {
  /** Place in the words of a question. */
  readonly name: string;
  /** `true` if the mode `auto` runs commands here without a question. */
  readonly isFree: boolean;
  /** `true` if only a question of its own allows a command here. */
  readonly isException: boolean;
  readonly network: boolean;
  /** Absent for a place outside of the sandbox. */
  readonly sandbox?: Sandbox;
};

/** Deviation from the usual place that the model asks for. */
export type Wish = { readonly outside: boolean; readonly network: boolean };

type Options = {
  readonly mode: SandboxMode;
  /** Lets every command use the network. */
  readonly network: boolean;
  readonly open: () => Promise<FoundSandbox>;
  /** Called once with the reason if there is no sandbox, in the mode `auto`. */
  readonly onMissing: (reason: string) => void;
};

/** Choice of the place for each command of a session. */
export type SandboxChoice = ReturnType<typeof createSandboxChoice>;

export function createSandboxChoice({ mode, network: isAllowed, open, onMissing }: Options) {
  let opened: Promise<FoundSandbox> | undefined;
  const found = (): Promise<FoundSandbox> => {
    opened ??= open()
      .catch((error: unknown): FoundSandbox => ({ reason: messageOf(error) }))
      .then((result) => {
        if (result.sandbox === undefined && mode === "auto") onMissing(result.reason);
        return result;
      });
    return opened;
  };
  /** @throws ToolError in the mode `require` */
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
    /** Looks for the sandbox, so that the first command does not wait for it. */
    prepare(): void {
      if (mode !== "off") void found();
    },
    /** @throws ToolError if a command must not run here */
    async place({ outside: wantsOut, network }: Wish): Promise<Place> {
      if (mode === "off") return outside("the sandbox is off", false);
      const result = await found();
      if (result.sandbox === undefined) return outside(result.reason, false);
      if (wantsOut) return outside("the model asks to run it outside of the sandbox", true);
      return {
        name: network || isAllowed ? "sandboxed, with network" : "sandboxed, no network",
        isFree: isAllowed || !network,
        isException: false,
        network: network || isAllowed,
        sandbox: result.sandbox,
      };
    },
    /**
     * Confines a command to its place. Returns another place, outside of the sandbox, if the sandbox cannot.
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
        return outside(error.message, false);
      }
    },
  };
}
