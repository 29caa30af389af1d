import type { AgentSession, Turn } from "@turnkit/agent";
import { commandsFor } from "../commands.js";
import type { Tool } from "../tools/tool.js";
import type { createTrust } from "../trust.js";
import { findCommands } from "./find-commands.js";
import type { OwnCommand } from "./own-command.js";

type OwnCommandsOptions = {
  readonly trust: ReturnType<typeof createTrust>;
  readonly onRefused: (paths: readonly string[]) => void;
};

/** Creates the commands and skills of one session, from Markdown files of the user and of trusted projects. */
export function createOwnCommands(
  session: Pick<AgentSession<unknown>, "roots" | "configValue" | "setCommands">,
  options: OwnCommandsOptions,
) {
  const { trust, onRefused } = options;
  let current: readonly OwnCommand[] = [];
  const read = async (isTrusted: (root: string) => Promise<boolean>): Promise<readonly OwnCommand[]> => {
    const { commands, refused } = await findCommands(session.roots, { isTrusted });
    onRefused(refused);
    return commands;
  };
  return {
    list: (): readonly OwnCommand[] => current,
    /**
     * Reads the commands that need no question: the commands of the user, and of projects that the user has trusted
     * before.
     */
    async known(): Promise<readonly OwnCommand[]> {
      current = await read((root) => trust.knows(root).catch(() => false));
      return current;
    },
    /** Reads the commands again, and asks the user about new projects. Changed commands are offered to the client. */
    async refresh(turn: Pick<Turn<unknown>, "toolCall">): Promise<readonly OwnCommand[]> {
      const before = JSON.stringify(current);
      current = await read((root) => trust.covers(root, turn));
      if (JSON.stringify(current) !== before)
        session.setCommands(commandsFor(String(session.configValue("model")), current));
      return current;
    },
    async tools(): Promise<readonly Tool[]> {
      if (!current.some(({ isForModel }) => isForModel)) return [];
      const { skillTools } = await import("./skill-tool.js");
      return skillTools(current);
    },
  };
}
