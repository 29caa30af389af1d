import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RealAgent } from "../real-agents/agent-table.js";

const exec = (cmd: string) => ({ tool: "exec_command", input: { cmd } });

/** Codex, over its adapter. It writes and reads files by commands. */
export const codex: RealAgent = {
  name: "codex",
  install: "@agentclientprotocol/codex-acp@2.6.0",
  command: ["codex-acp"],
  env(server, home) {
    const folder = join(home, "codex");
    mkdirSync(folder, { recursive: true });
    return {
      HOME: home,
      CODEX_HOME: folder,
      NO_BROWSER: "1",
      CODEX_API_KEY: "stand-in",
      MODEL_PROVIDER: "standin",
      CODEX_CONFIG: JSON.stringify({
        // For a model that it knows, Codex has only one tool, which runs JavaScript. Other models get all of its tools.
        model: "stand-in",
        model_providers: {
          standin: { name: "Stand-in", base_url: server.url, wire_api: "responses", env_key: "CODEX_API_KEY" },
        },
      }),
    };
  },
  write: (path, content) => ({
    tool: "exec_command",
    input: {
      cmd: `printf '%s' '${content}' > '${path}'`,
      ...{ sandbox_permissions: "require_escalated", justification: "May I write the file?" },
    },
  }),
  read: (path) => exec(`cat '${path}'`),
  run: exec,
};
