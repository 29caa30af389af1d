import type { AgentSession, Turn } from "@turnkit/agent";
import { createLocalTerminals } from "@turnkit/agent/node";
import type { LoopOptions } from "./loop.js";
import { connectMcpServers, type McpServers } from "./mcp/servers.js";
import type { Mode } from "./modes.js";
import { createNotices } from "./notices.js";
import { createPermission } from "./permission.js";
import { readProjectRules } from "./project-rules.js";
import { commandEnvironment } from "./tools/command-environment.js";
import { fetchUrlTool } from "./tools/fetch-url.js";
import type { Tool } from "./tools/tool.js";
import { tools } from "./tools/tools.js";
import { createWorkspace } from "./workspace.js";

/** How long a command may take to end after SIGTERM: less than the process has left when its client goes away. */
const GRACE_MS = 1_000;

/** What a turn works with. */
export type TurnTools = {
  readonly tools: readonly Tool[];
  readonly context: LoopOptions["context"];
  /** What the project and the MCP servers want the model to know; may be empty. */
  readonly rules: string;
};

/** Everything that the model of one session works with: tools, MCP servers, permissions, the project's rules. */
export interface Workbench {
  /**
   * Lays out what a turn needs. Waits for MCP servers that are still starting, at most half a minute or until the turn is
   * cancelled, and tells the user which of them failed.
   *
   * @param use `look`: nothing that could change anything
   */
  layOut(turn: Turn<unknown>, use: "work" | "look"): Promise<TurnTools>;
  /** Forgets what the user answered "always". */
  forgetAnswers(): void;
  /** Ends the MCP servers of the session, and every process of theirs. */
  close(): Promise<void>;
}

/** What decides about a workbench. */
export type WorkbenchOptions = {
  readonly currentMode: () => Mode;
  /** Whether there is a tool that fetches URLs. */
  readonly fetch: boolean;
  /** Variables of this process that no command may see, besides those that are named like secrets. */
  readonly keyVariables: readonly string[];
};

/** Sets up the workbench of a session, whose MCP servers start at once. It is closed with the session's signal. */
export function openWorkbench(
  session: AgentSession<unknown>,
  { currentMode, fetch, keyVariables }: WorkbenchOptions,
): Workbench {
  const permission = createPermission(currentMode);
  const notices = createNotices(session);
  const mcp = connectMcpServers(session.mcpServers, {
    cwd: session.cwd,
    signal: session.signal,
    onFailure: ({ server, reason }) =>
      notices.tell({ severity: "warning", title: `The MCP server ${server} cannot be used`, text: reason }),
  });
  const own = fetch ? [...tools, fetchUrlTool] : tools;
  return {
    async layOut(turn, use) {
      const { signal } = turn;
      const starting = mcp.starting();
      // Servers that are downloaded first take their time: nobody should wonder why nothing happens.
      if (starting.length > 0) await turn.think(`MCP servers that are still starting: ${starting.join(", ")}.\n\n`);
      const [rules] = await Promise.all([readProjectRules(session.roots), untilAborted(mcp.ready, signal)]);
      await notices.sayTo(turn);
      const env = commandEnvironment(process.env, keyVariables);
      return {
        tools: use === "look" ? own.filter(({ parallel }) => parallel) : [...own, ...mcpTools(mcp, own)],
        context: {
          workspace: createWorkspace(session, turn.files),
          permission,
          terminals: turn.terminals ?? createLocalTerminals(session, { signal, env, graceMs: GRACE_MS }),
        },
        rules: [rules, mcp.instructions()].filter(Boolean).join("\n\n"),
      };
    },
    forgetAnswers: () => permission.forget(),
    close: () => mcp.close(),
  };
}

function mcpTools(mcp: McpServers, own: readonly Tool[]): readonly Tool[] {
  return mcp.tools(own.map(({ name }) => name));
}

/** Waits, but not longer than the turn: what it waits for goes on. */
async function untilAborted(event: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([event, aborted]);
  signal.removeEventListener("abort", stop);
}
