import { contract } from "@turnkit/schema/v1";
import { unstableContract } from "@turnkit/schema/v1/unstable";
import { membersOf } from "../entry.js";
import { type Dialect, isMarked, runnerInfo } from "./dialect.js";

/** Version 1. */
export const v1: Dialect = {
  name: "v1",
  version: 1,
  contract,
  published: { ...contract, ...unstableContract },
  hello(abilities) {
    const has = (ability: (typeof abilities)[number]) => abilities.includes(ability);
    const session = {
      ...(has("booleanOptions") && { configOptions: { boolean: {} } }),
      ...(has("notices") && { notices: {} }),
      ...(has("compaction") && { compaction: {} }),
    };
    return {
      protocolVersion: 1,
      clientInfo: runnerInfo,
      clientCapabilities: {
        fs: { readTextFile: has("readTextFile"), writeTextFile: has("writeTextFile") },
        terminal: has("terminal"),
        ...(has("terminalLogin") && { auth: { terminal: true } }),
        ...(has("form") && { elicitation: { form: {} } }),
        ...(Object.keys(session).length > 0 && { session }),
        ...(has("plan") && { plan: {} }),
        ...(has("subagents") && { subagents: {} }),
      },
    };
  },
  offers(hello, ability) {
    const all = membersOf(hello.agentCapabilities);
    const session = membersOf(all.sessionCapabilities);
    const prompt = membersOf(all.promptCapabilities);
    switch (ability) {
      case "load":
        return all.loadSession === true;
      case "image":
      case "audio":
      case "embeddedContext":
        return prompt[ability] === true;
      case "http":
        return membersOf(all.mcpCapabilities).http === true;
      case "logout":
        return isMarked(membersOf(all.auth).logout);
      default:
        return isMarked(session[ability]);
    }
  },
  agrees: ({ protocolVersion }) => protocolVersion === 1,
  hasSessions: () => true,
  clientCapabilities: (params) => params.clientCapabilities,
  capabilitiesOf: (hello) => hello.agentCapabilities,
  newSession: (cwd) => ({ cwd, mcpServers: [] }),
  toolCallOfQuestion: (params) => membersOf(params.toolCall),
  turnEnd: "answer",
  restore: { method: "session/load", ability: "load", params: { mcpServers: [] } },
};
