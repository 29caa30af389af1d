import { join } from "node:path";
import type { AgentSession, Turn } from "@turnkit/agent";
import type { ProjectPart } from "./config/project-part.js";
import { messageOf } from "./errors.js";
import { foldersBetween, readSteeringFile, repositoryOf } from "./rules/steering-file.js";
import type { Trust } from "./trust.js";

const FILE = join(".turnkit", "agent.json");

/** Number of characters that a question can show. A longer file is not used. */
const MAX_SHOWN = 20_000;

type ProjectConfigOptions = {
  readonly trust: Trust;
  /** Called with a file that is not used, because another user could have written it. */
  readonly onRefused: (paths: readonly string[]) => void;
  readonly onProblem: (reason: string) => void;
};

/**
 * Creates the reader of a project's `.turnkit/agent.json`: the nearest one at or above the session's folder. The file
 * can start programs and give permissions, so the user is asked about each new content.
 */
export function createProjectConfig({ cwd }: Pick<AgentSession<unknown>, "cwd">, options: ProjectConfigOptions) {
  const { trust, onRefused, onProblem } = options;
  let current: ProjectPart = {};
  const read = async (isTrusted: (path: string, content: string) => Promise<boolean>): Promise<ProjectPart> => {
    const top = await repositoryOf(cwd);
    for (const folder of foldersBetween(top, cwd).toReversed()) {
      const path = join(folder, FILE);
      const file = await readSteeringFile(path, top);
      if (file === undefined) continue;
      if (file.isRefused) {
        onRefused([path]);
        return {};
      }
      const { parseProjectPart } = await import("./config/project-part.js");
      try {
        const part = parseProjectPart(file.text, path);
        // The question shows the parsed content. The text of the file could hide something, such as a member that
        // occurs twice, or escaped characters.
        const content = JSON.stringify(part, null, 2);
        if (content.length > MAX_SHOWN)
          throw new Error(`${path} cannot be used: it is longer than a question can show.`);
        return (await isTrusted(path, content)) ? part : {};
      } catch (error) {
        onProblem(messageOf(error));
        return {};
      }
    }
    return {};
  };
  return {
    current: (): ProjectPart => current,
    /** Reads the file again, and asks the user about a new content. */
    async refresh(turn: Pick<Turn<unknown>, "toolCall">): Promise<ProjectPart> {
      current = await read((path, content) => trust.coversFile(path, content, turn));
      return current;
    },
  };
}
