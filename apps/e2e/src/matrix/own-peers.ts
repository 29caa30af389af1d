import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { runAgentChecks, runClientChecks } from "@turnkit/conformance";
import { commandClient, runRemoteChecks } from "@turnkit/conformance/node";
import type { ModelServer } from "../models/model-server.js";
import { createSteeredModel, type Tools } from "./model-in-place.js";
import { homeIn, limits, lineOf, type Peer, type Protocol } from "./peer.js";
import { sessionFolder, withSessionFolders } from "./session-folders.js";

const built = (path: string): [string, string] => [
  process.execPath,
  fileURLToPath(new URL(`../../../${path}/dist/main.js`, import.meta.url)),
];
const protocols: readonly Protocol[] = [1, 2, "seed"];
const TOKEN = "a-token-of-the-matrix-0123456789";

const tools: Tools = {
  write: (path, content) => ({ tool: "write_file", input: { path, text: content } }),
  read: (path) => ({ tool: "read_file", input: { path } }),
  run: (command) => ({ tool: "run_command", input: { command } }),
  delegate: (prompt) => ({ tool: "task", input: { title: "Look at it", prompt } }),
};

const agentWith = ({ url }: ModelServer): [string, ...string[]] => [
  ...built("cli-agent"),
  ...["--model", "m", "--base-url", url, "--sandbox", "off"],
];

const agents: readonly Peer[] = protocols.map((protocol) => ({
  ...{ name: "turnkit-agent", side: "agent", protocol },
  async check(folder) {
    await using model = await createSteeredModel(tools);
    const open = withSessionFolders(agentWith(model), folder, homeIn(folder));
    return await runAgentChecks(open, { ...limits, protocol });
  },
}));

const clients: readonly Peer[] = protocols.map((protocol) => {
  const program = lineOf([...built("node-client"), "--protocol", String(protocol)]);
  return {
    ...{ name: "turnkit", side: "client", protocol },
    check(folder) {
      const restore = `${program} --session {session} hello -- {agent}`;
      const open = commandClient(`${program} hello -- {agent}`, { folder, restore, env: homeIn(folder) });
      return runClientChecks(open, { ...limits, protocol });
    },
  };
});

/** Programs that serve an agent at an address. `words` returns their command line for the command line of the agent. */
const servers = [
  { name: "turnkit-agent --listen", path: "/", words: (agent: string[]) => [...agent, "--listen", "127.0.0.1:0"] },
  {
    name: "turnkit serve",
    path: "/acp",
    words: (agent: string[]) => [...built("node-client"), "serve", "--listen", "127.0.0.1:0", "--", ...agent],
  },
] as const;

const remotes: readonly Peer[] = servers.flatMap(({ name, path, words }) =>
  (["ws", "http"] as const).flatMap((scheme) =>
    protocols.map(
      (protocol): Peer => ({
        ...{ name: `${name}, ${scheme === "ws" ? "WebSocket" : "HTTP"}`, side: "agent", protocol },
        async check(folder) {
          await using model = await createSteeredModel(tools);
          const cwd = await sessionFolder(folder);
          const env = { ...homeIn(folder), TURNKIT_TOKEN: TOKEN };
          const [program = "", ...args] = words(agentWith(model));
          const server = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
          try {
            const host = await hostOf(server);
            const url = `${scheme}://${host}${path}`;
            return await runRemoteChecks(url, { ...limits, protocol, cwd, token: TOKEN });
          } finally {
            const exited = once(server, "exit");
            if (server.kill()) await exited;
          }
        },
      }),
    ),
  ),
);

/** The programs of this repository, after a build. */
export const ownPeers: readonly Peer[] = [...agents, ...clients, ...remotes];

/** Returns the host and port of the address that a server prints. */
async function hostOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let said = "";
  stderr?.on("data", (bytes) => {
    said += String(bytes);
  });
  for await (const line of stdout ? createInterface({ input: stdout }) : []) {
    const [, host] = /:\/\/([\w.:]+)/.exec(line) ?? [];
    if (host !== undefined) {
      stdout?.resume();
      return host;
    }
    said += `${line}\n`;
  }
  throw new Error(`No address was printed: ${said}`);
}
