import { refusalOf } from "../prompt/prompt-blocks.js";
import type { Actions } from "./actions.js";
import type { AgentLink } from "./agent-link.js";
import { droppedImage } from "./dropped-image.js";
import { promptContent } from "./prompt-content.js";

export type PromptActionOptions = {
  /** Agent whose folder on this machine has the files, and which decides what a prompt may contain. */
  readonly link: Pick<AgentLink, "here" | "reader">;
  readonly env: NodeJS.ProcessEnv;
  /** Shows a message of this program. */
  readonly tell: (message: string) => void;
};

/** Creates the actions that read files for a prompt. They use the folder that the agent has when they are called. */
export function createPromptActions(options: PromptActionOptions): Pick<Actions, "files" | "imageIn" | "content"> {
  const { link, env, tell } = options;
  return {
    async files() {
      const { listCandidateFiles } = await import("./late-parts.js");
      return (await listCandidateFiles(link.here, env)).paths;
    },
    imageIn: (pasted) => {
      const fold = droppedImage(pasted, link.here);
      return fold && { fold, notice: refusalOf("image", fold.name, link.reader) };
    },
    content: (prompt) => promptContent({ ...prompt, directory: link.here }, { ...link.reader, note: tell }),
  };
}
