import { membersOf } from "../entry.js";
import { type Dialect, isMarked, runnerInfo } from "./dialect.js";
import { contract } from "./seed-contract.js";
import { v2 } from "./v2.js";

/** Draft of version 2 of June 2026. Turns end as in version 1. */
export const seed: Dialect = {
  ...v2,
  name: "seed",
  contract,
  published: contract,
  hello: () => ({ protocolVersion: 2, clientInfo: runnerInfo, capabilities: {} }),
  offers(hello, ability) {
    const { session, auth } = membersOf(hello.capabilities);
    const { prompt, mcp, ...own } = membersOf(session);
    switch (ability) {
      case "image":
      case "audio":
      case "embeddedContext":
        return isMarked(membersOf(prompt)[ability]);
      case "http":
        return isMarked(membersOf(mcp).http);
      case "logout":
        return isMarked(membersOf(auth).logout);
      default:
        return isMarked(own[ability]);
    }
  },
  newSession: (cwd) => ({ cwd, mcpServers: [] }),
  toolCallOfQuestion: (params) => membersOf(params.toolCall),
  turnEnd: "answer",
  restore: { method: "session/load", ability: "load", params: { mcpServers: [] } },
};
