import type { ModelAgent } from "../model/model-agent.js";
import { after, type Mutant } from "./mutant.js";

/** Replaces what the agent reads of a line. */
function reading(agent: ModelAgent, change: (line: string) => string | undefined): void {
  const read = agent.readLine.bind(agent);
  agent.readLine = (line) => {
    const changed = change(line);
    if (changed !== undefined) read(changed);
  };
}

export const framingMutants: readonly Mutant[] = [
  {
    check: "ACP-TRANSPORT-001",
    what: "prints a log line to stdout",
    alter: (agent) => agent.result("session/new", (result) => after(agent.text("Loading skills…\n"), result)),
  },
  {
    check: "ACP-TRANSPORT-002",
    what: "writes Latin-1",
    alter: (agent) =>
      agent.outgoing((frame) => {
        if (frame.params?.update?.sessionUpdate !== "agent_message_chunk") return frame;
        const text = JSON.stringify(frame).replace("Hello", "Hall\u00f6");
        agent.bytes(Uint8Array.from(`${text}\n`, (letter) => letter.charCodeAt(0)));
        return undefined;
      }),
  },
  {
    check: "TK-FRAMING-01",
    what: "drops a line that ends with CR",
    alter: (agent) => reading(agent, (line) => (line.endsWith("\r") && line.length > 1 ? undefined : line)),
  },
  {
    check: "TK-FRAMING-02",
    what: "answers a blank line with a parse error",
    alter: (agent) => reading(agent, (line) => (line.trim() === "" ? "?" : line)),
  },
  {
    check: "TK-FRAMING-03",
    what: "decodes each chunk by itself",
    // The answer has an id that nobody sent.
    also: ["TK-JSONRPC-07"],
    alter(agent) {
      const read = agent.readBytes.bind(agent);
      agent.readBytes = (bytes) => read(new TextEncoder().encode(new TextDecoder().decode(bytes)));
    },
  },
  {
    check: "TK-FRAMING-04",
    what: "reads only the first line of a write",
    alter: (agent) => reading(agent, (line) => (/"id":"(two|three)"/.test(line) ? undefined : line)),
  },
  {
    check: "TK-FRAMING-05",
    what: "drops a last line without a line end",
    alter: (agent) => reading(agent, (line) => (line.includes('"id":"last"') ? undefined : line)),
  },
  {
    check: "TK-FRAMING-06",
    what: "ends at a line that is not JSON",
    alter: (agent) => reading(agent, (line) => (line.endsWith('"method": ') ? after(agent.end(), undefined) : line)),
  },
  {
    check: "ACP-INFO-PARSE-001",
    what: "says nothing to a line that is not JSON",
    remark: /no answer/,
    alter: (agent) => reading(agent, (line) => (line.startsWith("this") ? undefined : line)),
  },
  {
    check: "TK-FRAMING-07",
    what: "splits lines at U+2028",
    alter: (agent) => reading(agent, (line) => (line.includes("\u2028") ? undefined : line)),
  },
  {
    check: "TK-FRAMING-08",
    what: "reads at most 64 KiB",
    alter: (agent) => reading(agent, (line) => (line.length > 65_536 ? undefined : line)),
  },
  {
    check: "TK-FRAMING-09",
    what: "ends at a deep message",
    alter: (agent) => reading(agent, (line) => (line.includes("[".repeat(300)) ? after(agent.end(), undefined) : line)),
  },
  {
    check: "TK-FRAMING-10",
    what: "drops output that nobody reads yet",
    alter: (agent) => reading(agent, (line) => (line.includes('"at":99') ? undefined : line)),
  },
  {
    check: "ACP-SHUTDOWN-001",
    what: "runs on after the end of stdin",
    alter(agent) {
      const ended = agent.inputEnded.bind(agent);
      agent.inputEnded = () => {
        if ([...agent.sessions.values()].some(({ turn }) => turn !== undefined)) ended();
      };
    },
  },
  {
    check: "TK-SHUTDOWN-02",
    what: "finishes its turn first",
    alter(agent) {
      const ended = agent.inputEnded.bind(agent);
      agent.inputEnded = () => {
        if ([...agent.sessions.values()].every(({ turn }) => turn === undefined)) ended();
      };
    },
  },
  {
    check: "ACP-STDERR-001",
    what: "writes to stderr",
    remark: /^9 characters/,
    alter(agent) {
      agent.stderr = "Warning!\n";
    },
  },
];
