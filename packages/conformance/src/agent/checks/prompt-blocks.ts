import type { AgentCheck } from "../../check.js";
import type { Ability } from "../../dialects/dialect.js";
import { everyDialect } from "../../dialects/dialects.js";
import { expectError, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";

const say = (text: string) => ({ type: "text", text });
/** Image of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
/** Sound of no length. */
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const blocks: Readonly<Record<"image" | "audio" | "embeddedContext", object>> = {
  image: { type: "image", mimeType: "image/png", data: PIXEL },
  audio: { type: "audio", mimeType: "audio/wav", data: SILENCE },
  embeddedContext: {
    type: "resource",
    resource: { uri: "file:///work/note.txt", text: "Bread", mimeType: "text/plain" },
  },
};

/** Checks of the blocks in a prompt. */
export const promptBlockChecks: readonly AgentCheck[] = [
  {
    id: "ACP-PROMPT-003",
    title: "A prompt may have a link to a file.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-CONT-04", "V1-INIT-13", "V2-CON-03"],
    quick: true,
    async run(agent) {
      const link = { type: "resource_link", uri: `file://${agent.options.cwd}/note.txt`, name: "note.txt" };
      await agent.turn(await agent.open(), [say(agent.options.prompts.say), link]);
    },
  },
  withBlock("ACP-PROMPTCAP-001", "An image", "image", ["V1-CONT-02", "V2-CON-03"]),
  withBlock("ACP-PROMPTCAP-002", "A sound", "audio", ["V1-CONT-03", "V2-CON-03"]),
  withBlock("ACP-PROMPTCAP-003", "The content of a file", "embeddedContext", ["V1-CONT-05", "V2-CON-03"]),
  {
    id: "TK-PROMPTCAP-04",
    title: "A prompt with a block that the agent did not announce is refused with the error -32602.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-CONT-08"],
    run: expectUnannounced,
  },
  {
    id: "TK-PROMPTCAP-05",
    title: "A prompt with a block that the agent did not announce is refused with the error -32602.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-PRM-09"],
    run: expectUnannounced,
  },
  {
    id: "TK-PROMPTCAP-06",
    title: "A prompt with a block of an unknown type is refused with the error -32602.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-CONT-09", "V2-PRM-09"],
    async run(agent) {
      const sessionId = await agent.open();
      const prompt = [say(agent.options.prompts.say), { type: "turnkit_unknown", data: 1 }];
      expectError(await agent.ask("session/prompt", { sessionId, prompt }, "deliberate"), -32602);
    },
  },
];

function withBlock(
  id: string,
  what: string,
  ability: keyof typeof blocks & Ability,
  requirements: readonly string[],
): AgentCheck {
  return {
    ...{ id, title: `${what} in a prompt is accepted, if it is announced.` },
    ...{ tier: "capability", dialects: everyDialect, requirements },
    async run(agent) {
      const session = await agent.open();
      agent.requires(ability);
      await agent.turn(session, [say(agent.options.prompts.say), blocks[ability]]);
    },
  };
}

async function expectUnannounced(agent: AgentTrial): Promise<void> {
  const sessionId = await agent.open();
  const names = Object.keys(blocks) as (keyof typeof blocks)[];
  const missing = names.find((name) => !agent.offers(name));
  if (missing === undefined) skip("The agent takes every block.");
  const prompt = [say(agent.options.prompts.say), blocks[missing]];
  const answer = await agent.ask("session/prompt", { sessionId, prompt });
  expectError(answer, -32602);
}
