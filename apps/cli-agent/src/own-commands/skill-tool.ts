import { join } from "node:path";
import { isInside } from "@turnkit/transport/node";
import * as z from "zod";
import { ToolError } from "../errors.js";
import type { ToolOutput } from "../model.js";
import { readSteeringFile } from "../rules/steering-file.js";
import { defineTool, type Tool } from "../tools/tool.js";
import type { OwnCommand } from "./own-command.js";

/** Largest list of skills in the description of the tool, and largest file of a skill, in characters. */
const MAX_LIST = 16_000;
const MAX_FILE = 100_000;

/** Returns the tool with which a model reads skills. Returns no tool if there is no skill for models. */
export function skillTools(commands: readonly OwnCommand[]): readonly Tool[] {
  const skills = commands.filter(({ isForModel }) => isForModel);
  if (skills.length === 0) return [];
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  const tool = defineTool({
    name: "skill",
    description: `Reads a skill: instructions for a kind of task. Read the skill that fits before you begin such a task.\n${list.slice(0, MAX_LIST)}`,
    input: z.object({
      name: z.string(),
      file: z.string().optional().describe("A further file of the skill, relative to its folder."),
    }),
    parallel: true,
    open({ name, file }) {
      return {
        start: { title: `Read the skill ${name}${file === undefined ? "" : `: ${file}`}`.slice(0, 200), kind: "read" },
        async run(): Promise<ToolOutput> {
          const skill = skills.find((one) => one.name === name);
          if (skill?.folder === undefined) throw new ToolError("not_found", `There is no skill \`${name}\`.`);
          const { folder, realFolder, body } = skill;
          if (file === undefined)
            return { type: "text", value: `The files of this skill are in ${folder}.\n\n${body}` };
          const path = join(folder, file);
          const read = isInside(path, [folder]) ? await readSteeringFile(path, folder) : undefined;
          // The user's trust is in the folder that the skill had when it was found.
          const isElsewhere = read !== undefined && !isInside(read.real, [realFolder ?? folder]);
          if (read === undefined || read.isRefused || isElsewhere) {
            throw new ToolError("not_found", `The skill ${name} has no text file \`${file}\`.`);
          }
          return { type: "text", value: read.text.slice(0, MAX_FILE) };
        },
      };
    },
  });
  return [tool];
}
