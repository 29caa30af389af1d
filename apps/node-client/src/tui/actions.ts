import type { SessionInfo } from "@turnkit/client";
import type { ContentBlock } from "@turnkit/session";
import type { PastedImage, WantedSession } from "./model/ui.js";
import type { TypedPrompt } from "./prompt-content.js";
import type { ShellCommand } from "./shell-command.js";

/** Actions outside of the session that keys ask for. */
export interface Actions {
  /** Opens a text in the person's editor. Returns the changed text. */
  edit(text: string): Promise<string>;
  suspend(): Promise<void>;
  help(): void;
  /** Opens a session: the wanted one, or a new one. */
  open(wanted?: WantedSession): Promise<void>;
  /** Starts the agent again, and restores its session. */
  restart(): Promise<void>;
  sessions(signal: AbortSignal): AsyncIterable<SessionInfo>;
  /** Returns the files that a mention can name. */
  files(): Promise<readonly string[]>;
  imageIn(pasted: string): PastedImage | undefined;
  /** Returns the content of a prompt, with its files. */
  content(prompt: Omit<TypedPrompt, "directory">): Promise<string | readonly ContentBlock[]>;
  /** Runs a command line in the person's shell. */
  run(line: string): Promise<ShellCommand>;
  printOutput(command: ShellCommand): void;
  quit(): void;
}
