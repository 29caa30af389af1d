import { dirname, resolve } from "node:path";
import { isInside } from "@turnkit/transport/node";
import type { ConversationItem } from "../model.js";
import { addText } from "../tools/output-text.js";
import type { Tool } from "../tools/tool.js";
import { wrapTool } from "../tools/wrap-tool.js";
import { createRuleReader, openingOf } from "./project-rules.js";
import { foldersBetween, repositoryOf } from "./steering-file.js";

/** Tools that use one file, whose path is the member `path` of their input. */
const OF_A_FILE = /^(?:read_file|edit_file|write_file|lint_file)$/;

type NestedOptions = {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly conversation: readonly ConversationItem[];
  readonly isTrusted: (root: string) => Promise<boolean>;
};

/**
 * Returns tools that add the rules of inner folders to their results. These are the rules between a folder of the session
 * and the file that a call uses. The model gets each rule once, until it is no longer in the conversation.
 */
export function withNestedRules(tools: readonly Tool[], options: NestedOptions): readonly Tool[] {
  const { cwd, roots, conversation, isTrusted } = options;
  const reader = createRuleReader();
  const visited = new Set<string>();
  const isGiven = (opening: string) =>
    conversation.some(
      (item) => item.role === "tool" && JSON.stringify(item.content).includes(JSON.stringify(opening).slice(1, -1)),
    );
  const rulesFor = async (path: string): Promise<string> => {
    const root = roots.find((one) => isInside(path, [one]));
    if (root === undefined) return "";
    const top = await repositoryOf(root);
    const texts: string[] = [];
    for (const folder of foldersBetween(root, dirname(path)).slice(1)) {
      if (visited.has(folder)) continue;
      visited.add(folder);
      const rules = await reader.read(folder, top, () => isTrusted(root));
      texts.push(
        ...rules.filter((rule) => rule.path !== path && !isGiven(openingOf(rule.path))).map(({ text }) => text),
      );
    }
    return texts.length === 0 ? "" : `Rules of the project for files below these folders:\n\n${texts.join("\n\n")}`;
  };
  return tools.map((tool) =>
    OF_A_FILE.test(tool.name)
      ? wrapTool(tool, async (run, { input }) => {
          const output = await run();
          const { path } = (input ?? {}) as { readonly path?: unknown };
          const rules = typeof path === "string" && output.type !== "error" ? await rulesFor(resolve(cwd, path)) : "";
          return rules === "" ? output : addText(output, rules);
        })
      : tool,
  );
}
