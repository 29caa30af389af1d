import { contract } from "@turnkit/schema/v2";
import { unstableContract } from "@turnkit/schema/v2/unstable";
import { membersOf } from "../entry.js";
import { type Dialect, isMarked, runnerInfo } from "./dialect.js";

const baseline = new Set(["resume", "list", "close"]);

/** Preview of version 2. */
export const v2: Dialect = {
  name: "v2",
  version: 2,
  contract,
  published: { ...contract, ...unstableContract },
  hello: (abilities) => ({
    protocolVersion: 2,
    info: runnerInfo,
    capabilities: {
      ...(abilities.includes("form") && { elicitation: { form: {} } }),
      ...(abilities.includes("terminalLogin") && { auth: { terminal: {} } }),
    },
  }),
  offers(hello, ability) {
    const { session } = membersOf(hello.capabilities);
    if (!isMarked(session)) return false;
    if (baseline.has(ability)) return true;
    const { prompt, mcp, ...own } = membersOf(session);
    switch (ability) {
      case "load":
        return false;
      case "image":
      case "audio":
      case "embeddedContext":
        return isMarked(membersOf(prompt)[ability]);
      case "http":
        return isMarked(membersOf(mcp).http);
      case "logout":
        return Array.isArray(hello.authMethods) && hello.authMethods.length > 0;
      default:
        return isMarked(own[ability]);
    }
  },
  agrees: ({ protocolVersion }) => protocolVersion === 2,
  hasSessions: ({ capabilities }) => isMarked(membersOf(capabilities).session),
  clientCapabilities: (params) => params.capabilities,
  capabilitiesOf: (hello) => hello.capabilities,
  newSession: (cwd) => ({ cwd }),
  toolCallOfQuestion: ({ subject }) => {
    const { type, toolCall } = membersOf(subject);
    return type === "tool_call" ? membersOf(toolCall) : undefined;
  },
  turnEnd: "idle",
  restore: { method: "session/resume", ability: "resume", params: { replayFrom: { type: "start" } } },
};
