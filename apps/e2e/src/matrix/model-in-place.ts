import { join } from "node:path";
import { defaultPrompts, type PromptName } from "@turnkit/conformance";
import { createModelServer, type ModelServer } from "../models/model-server.js";
import { call, type Part, type ReceivedRequest, say, think } from "../models/step.js";

type Call = { readonly tool: string; readonly input: object };

/** Tools with which an agent does what the prompts of the checks ask. */
export type Tools = {
  write(path: string, content: string): Call;
  read(path: string): Call;
  run(command: string): Call;
  delegate?(task: string): Call;
};

/** Task of the subagent. Its requests are recognised by this text. */
const TASK = "Greet somebody";

/** Starts a model that does what the prompts of the checks ask, with the tools of one agent. */
export function createSteeredModel(tools: Tools): Promise<ModelServer> {
  let written = 0;
  return createModelServer((request) => {
    // Agents ask for titles and summaries without their tools.
    if (request.tools.length === 0) return [say("A title")];
    const name = nameOf(request);
    if (name === "long") return endless(request.over);
    if (request.results.length > 0) return [say("That is all.")];
    // An agent refuses to replace a file that it has not read, so each call writes a new one.
    if (name === "permission" || name === "write") written += 1;
    const { tool, input } = callOf({ name, cwd: folderOf(request), file: `conformance-${written}.txt` }, tools) ?? {};
    if (tool === undefined || !request.tools.includes(tool)) return [say("Hello.")];
    return [think("I need a tool."), say("I do it. "), call(tool, input)];
  });
}

type Wish = { readonly name: PromptName | undefined; readonly cwd: string; readonly file: string };

function callOf({ name, cwd, file }: Wish, tools: Tools): Call | undefined {
  switch (name) {
    case "permission":
    case "write":
      return tools.write(join(cwd, file), "hi");
    case "work":
    case "read":
      return tools.read(join(cwd, "note.txt"));
    case "terminal":
      return tools.run("echo conformance");
    case "long-terminal":
      return tools.run("sleep 600");
    case "child":
      return tools.delegate?.(TASK);
    default:
      return undefined;
  }
}

/** Returns the name of the newest prompt in a request. Some agents send other words or earlier prompts with it. */
function nameOf({ prompt, body }: ReceivedRequest): PromptName | undefined {
  const text = prompt.includes(TASK) ? "" : prompt;
  const names = Object.entries(defaultPrompts) as [PromptName, string][];
  const last = (where: string) =>
    names
      .map(([name, words]) => ({ name, at: where.lastIndexOf(words) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => b.at - a.at)[0]?.name;
  return last(text) ?? (text === "" ? undefined : last(JSON.stringify(body.messages ?? body.input ?? body.contents)));
}

/** Returns the folder of the session. Agents name it in their requests to the model. */
function folderOf({ body }: ReceivedRequest): string {
  const [folder = "/"] =
    JSON.stringify(body)
      .match(/\/[\w./-]*\/work\/session-\w{6}/g)
      ?.slice(-1) ?? [];
  return folder;
}

/** Yields words until the agent ends its request. Some agents pass a word on only when the next one has arrived. */
async function* endless(over: Promise<unknown>): AsyncGenerator<Part> {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (let n = 1; !isOver; n += 1) {
    yield say(`${n} `);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
