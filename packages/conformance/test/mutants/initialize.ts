import type { ModelAgent } from "../model/model-agent.js";
import { failure, type Loose } from "../model/model-session.js";
import type { Mutant } from "./mutant.js";

const handling = (agent: ModelAgent, change: (method: string, params: Loose, go: () => unknown) => unknown): void => {
  const handle = agent.handle.bind(agent);
  agent.handle = (method, params, frame) => change(method, params ?? {}, () => handle(method, params, frame));
};

const refusing = (fits: (params: Loose) => boolean) => (agent: ModelAgent) =>
  handling(agent, (method, params, go) => {
    if (method === "initialize" && fits(params)) throw failure(-32603, "No");
    return go();
  });

const twice = (methods: readonly object[]) => (agent: ModelAgent) =>
  agent.result("initialize", (result) => ({ ...result, authMethods: methods }));

const terminalLogin = { type: "terminal", name: "Terminal" };

export const initializeMutants: readonly Mutant[] = [
  {
    check: "ACP-INIT-001",
    what: "fails at initialize, unless it comes in an unusual form",
    alter: (agent) =>
      handling(agent, (method, params, go) => {
        const isUsual = params.clientInfo && params.clientCapabilities && params.turnkitUnknown === undefined;
        if (method === "initialize" && isUsual && params.protocolVersion === 1 && params.clientCapabilities !== "all")
          throw failure(-32603, "No");
        return go();
      }),
    also: ["TK-INIT-04"],
  },
  {
    check: "ACP-INIT-002",
    what: "answers version 1 with 2",
    alter: (agent) => agent.result("initialize", (result) => ({ ...result, protocolVersion: 2 })),
  },
  {
    check: "ACP-INIT-201",
    dialect: "v2",
    what: "answers version 2 with 1",
    also: ["ACP-INIT-003"],
    alter: (agent) => agent.result("initialize", (result) => ({ ...result, protocolVersion: 1 })),
  },
  {
    check: "ACP-INIT-003",
    what: "repeats the version that it was asked for",
    alter: (agent) =>
      agent.result("initialize", (result, params) => ({ ...result, protocolVersion: params.protocolVersion })),
  },
  {
    check: "TK-INIT-01",
    dialect: "v2",
    what: "answers version 1 with 2",
    alter: (agent) =>
      handling(agent, (method, params, go) =>
        method === "initialize" && params.protocolVersion === 1
          ? agent.handlers.get("initialize")?.({ ...params, protocolVersion: 2 }, {})
          : go(),
      ),
  },
  {
    check: "ACP-INIT-004",
    what: "does not name itself",
    alter: (agent) => agent.result("initialize", ({ agentInfo, ...result }) => result),
  },
  {
    check: "ACP-INIT-203",
    dialect: "v2",
    what: "does not name its version",
    also: ["ACP-SCHEMA-001"],
    alter: (agent) => agent.result("initialize", (result) => ({ ...result, info: { name: "model-agent" } })),
  },
  {
    check: "ACP-INIT-204",
    dialect: "v2",
    what: "announces a capability as true",
    also: ["ACP-SCHEMA-001"],
    alter: (agent) =>
      agent.result("initialize", (result) => {
        const { session } = result.capabilities;
        return { ...result, capabilities: { session: { ...session, mcp: { ...session.mcp, http: true } } } };
      }),
  },
  {
    check: "TK-INIT-02",
    what: "announces prompts with images as an object",
    also: ["ACP-SCHEMA-001"],
    alter: (agent) =>
      agent.result("initialize", ({ agentCapabilities, ...result }) => ({
        ...result,
        agentCapabilities: { ...agentCapabilities, mcpCapabilities: { http: {}, sse: false } },
      })),
  },
  {
    check: "TK-INIT-03",
    what: "opens a session before initialize",
    alter: (agent) =>
      handling(agent, (method, _params, go) =>
        method === "session/new" && agent.client === undefined ? { sessionId: "early" } : go(),
      ),
  },
  {
    check: "TK-INIT-04",
    what: "answers a notification before initialize",
    alter(agent) {
      const notified = agent.notified.bind(agent);
      agent.notified = (frame) => {
        if (agent.client === undefined) agent.refuse(-32600, "Not initialized");
        else notified(frame);
      };
    },
  },
  {
    check: "TK-INIT-05",
    what: "refuses unknown members",
    alter: refusing((params) => params.turnkitUnknown !== undefined),
  },
  {
    check: "TK-INIT-06",
    what: "takes a text for a version",
    alter: (agent) =>
      handling(agent, (method, params, go) =>
        method === "initialize" && params.protocolVersion === "1.0.0" ? { protocolVersion: 1 } : go(),
      ),
  },
  {
    check: "TK-INIT-07",
    what: "requires capabilities",
    alter: refusing((params) => params.clientCapabilities === undefined),
  },
  {
    check: "TK-INIT-08",
    what: "refuses malformed capabilities",
    alter: refusing((params) => params.clientCapabilities === "all"),
  },
  {
    check: "TK-INIT-09",
    dialect: "v2",
    what: "refuses a second initialize",
    alter: (agent) => refusing(() => agent.client !== undefined)(agent),
  },
  {
    check: "ACP-EXT-202",
    what: "announces an extension beside the capabilities",
    also: ["ACP-SCHEMA-002"],
    alter: (agent) =>
      agent.result("initialize", ({ agentCapabilities, ...result }) => ({
        ...result,
        agentCapabilities: { ...agentCapabilities, vendorSearch: {} },
      })),
  },
  {
    check: "ACP-AUTH-001",
    what: "offers two methods with the same id",
    alter: twice([
      { id: "web", name: "One" },
      { id: "web", name: "Two" },
    ]),
  },
  {
    check: "ACP-AUTH-201",
    dialect: "v2",
    what: "offers two methods with the same id",
    alter: twice(["One", "Two"].map((name) => ({ type: "agent", methodId: "web", name }))),
  },
  {
    check: "ACP-AUTH-002",
    what: "offers a login in a terminal to every client",
    alter: twice([{ ...terminalLogin, id: "shell" }]),
  },
  {
    check: "ACP-AUTH-202",
    dialect: "v2",
    what: "offers a login in a terminal to every client",
    alter: twice([{ ...terminalLogin, methodId: "shell" }]),
  },
  {
    check: "ACP-AUTH-206",
    dialect: "v2",
    what: "has a login method of its own type",
    alter: twice([{ type: "browser", methodId: "web", name: "Browser" }]),
  },
  {
    check: "ACP-AUTH-207",
    dialect: "v2",
    what: "names a variable twice",
    alter: (agent) =>
      agent.result("initialize", ({ authMethods, ...result }) => ({
        ...result,
        authMethods: authMethods.map((method: Loose) => ({ ...method, env: [...method.env, ...method.env] })),
      })),
  },
  {
    check: "ACP-AUTH-005",
    what: "asks for a login that it does not offer",
    alter: (agent) => loginFirst(agent),
  },
  {
    check: "ACP-AUTH-205",
    dialect: "v2",
    what: "asks for a login that it does not offer",
    alter: (agent) => loginFirst(agent),
  },
  {
    check: "TK-AUTH-01",
    what: "accepts every login",
    alter: (agent) => void agent.handlers.set("authenticate", () => ({})),
  },
];

function loginFirst(agent: ModelAgent): void {
  agent.handlers.set("session/new", () => {
    throw failure(-32000, "Authentication required");
  });
}
