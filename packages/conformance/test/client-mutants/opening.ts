import type { Loose } from "../model/model-session.js";
import type { ClientMutant } from "./client-mutant.js";

const caps = (change: (all: Loose) => Loose) => (params: Loose) => ({
  ...params,
  ...(params.clientCapabilities && { clientCapabilities: change(params.clientCapabilities) }),
  ...(params.capabilities && { capabilities: change(params.capabilities) }),
});

export const openingMutants: readonly ClientMutant[] = [
  {
    check: "TKC-INIT-01",
    what: "begins with a notification",
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "initialize" ? [{ jsonrpc: "2.0", method: "$/hello", params: {} }, frame] : frame,
      ),
  },
  {
    check: "TKC-INIT-02",
    what: "lists sessions before initialize is answered",
    also: ["TKC-CAP-01"],
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "initialize"
          ? [frame, { jsonrpc: "2.0", id: "early", method: "session/list", params: {} }]
          : frame,
      ),
  },
  {
    check: "TKC-INIT-03",
    what: "gives its version as a text",
    also: ["TKC-MSG-09"],
    alter: (client) => client.call("initialize", (params) => ({ ...params, protocolVersion: "1.0.0" })),
  },
  {
    check: "TKC-INIT-04",
    what: "does not name itself",
    alter: (client) => client.call("initialize", ({ clientInfo: _, ...params }) => params),
  },
  {
    check: "TKC-INIT-05",
    dialect: "v2",
    what: "does not name itself",
    also: ["TKC-MSG-09"],
    alter: (client) => client.call("initialize", ({ info: _, ...params }) => params),
  },
  {
    check: "TKC-INIT-06",
    what: "offers terminals as an object",
    also: ["TKC-MSG-09", "TKC-TERM-10"],
    alter: (client) =>
      client.call(
        "initialize",
        caps((all) => ({ ...all, terminal: {} })),
      ),
  },
  {
    check: "TKC-INIT-07",
    dialect: "v2",
    what: "offers questions as true",
    also: ["TKC-FORM-07", "TKC-MSG-09"],
    alter: (client) =>
      client.call(
        "initialize",
        caps((all) => ({ ...all, elicitation: true })),
      ),
  },
  {
    check: "TKC-INIT-08",
    what: "initializes again before its prompt",
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "session/prompt"
          ? [{ jsonrpc: "2.0", id: "again", method: "initialize", params: { protocolVersion: 1 } }, frame]
          : frame,
      ),
  },
  {
    check: "TKC-SESS-01",
    what: "sends a relative path as cwd",
    alter: (client) => client.call("session/new", (params) => ({ ...params, cwd: "." })),
  },
  {
    check: "TKC-SESS-02",
    what: "leaves out mcpServers",
    also: ["TKC-MSG-09"],
    alter: (client) => client.call("session/new", ({ mcpServers: _, ...params }) => params),
  },
  {
    check: "TKC-PROMPT-01",
    what: "prompts a session with an id of its own",
    also: ["TKC-MSG-13", "TKC-RESTORE-03", "TKC-RPC-07"],
    alter: (client) => client.call("session/prompt", (params) => ({ ...params, sessionId: "own" })),
  },
  {
    check: "TKC-PROMPT-02",
    what: "sends an empty prompt",
    alter: (client) => client.call("session/prompt", (params) => ({ ...params, prompt: [] })),
  },
  {
    check: "TKC-END-01",
    what: "stays after its turn",
    alter(client) {
      const quit = client.quit.bind(client);
      client.quit = (code) => (code === null ? quit(code) : undefined);
    },
  },
  {
    check: "TKC-END-02",
    what: "sends its prompt twice",
    also: ["TKC-SLOW-01"],
    alter: (client) =>
      client.outgoing((frame) => (frame.method === "session/prompt" ? [frame, { ...frame, id: "twice" }] : frame)),
  },
  {
    check: "TKC-INIT-09",
    what: "goes on with any version",
    alter: (client) =>
      client.incoming((frame) =>
        frame.result?.protocolVersion ? { ...frame, result: { ...frame.result, protocolVersion: 1 } } : frame,
      ),
  },
  {
    check: "TKC-SLOW-01",
    what: "ends after a short wait for its turn",
    alter(client) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      client.outgoing((frame) => {
        if (frame.method === "session/prompt") timer = setTimeout(() => client.quit(0), 1);
        return frame;
      });
      client.incoming((frame) => {
        clearTimeout(timer);
        return frame;
      });
    },
  },
  {
    check: "TKC-PROMPT-03",
    what: "sends an image to every agent",
    alter: (client) =>
      client.call("session/prompt", (params) => ({
        ...params,
        prompt: [...params.prompt, { type: "image", mimeType: "image/png", data: "AA==" }],
      })),
  },
  {
    check: "TKC-CAP-01",
    what: "closes its session without being offered it",
    alter: (client) => {
      const quit = client.quit.bind(client);
      client.quit = (code) => {
        if (!client.isEnded)
          client.write({ jsonrpc: "2.0", id: "close", method: "session/close", params: { sessionId: "conf-session" } });
        quit(code);
      };
    },
  },
  {
    check: "TKC-CAP-02",
    what: "names more folders to every agent",
    alter: (client) => client.call("session/new", (params) => ({ ...params, additionalDirectories: ["/more"] })),
  },
  {
    check: "TKC-CAP-03",
    what: "names an MCP server over HTTP to every agent",
    alter: (client) =>
      client.call("session/new", (params) => ({
        ...params,
        mcpServers: [{ type: "http", name: "web", url: "https://mcp.example", headers: [] }],
      })),
  },
  {
    check: "TKC-AUTH-01",
    what: "prompts without a session",
    also: ["TKC-MSG-13"],
    alter: (client) =>
      client.incoming((frame) =>
        frame.error?.code === -32000 ? { jsonrpc: "2.0", id: frame.id, result: { sessionId: "none" } } : frame,
      ),
  },
];
