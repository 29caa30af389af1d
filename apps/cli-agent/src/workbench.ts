import { once } from "node:events";
import type { AgentSession, Turn } from "@turnkit/agent";
import { createLocalTerminals } from "@turnkit/agent/node";
import { createPathCheck, type PathRules } from "@turnkit/session/paths";
import { trustFile } from "./config/folders.js";
import { connectMcpServers } from "./mcp/servers.js";
import type { Mode } from "./modes.js";
import { createNotices } from "./notices.js";
import { createPermission } from "./permission.js";
import { readProjectRules } from "./project-rules.js";
import { commandEnvironment } from "./tools/command-environment.js";
import { createTrust } from "./trust.js";
import { createWorkspace } from "./workspace.js";

/**
 * Time between SIGTERM and SIGKILL for a command, in milliseconds: less than this process has after its client closes.
 */
const GRACE_MS = 1_000;

type WorkbenchOptions = {
  readonly currentMode: () => Mode;
  /** Adds the tool that fetches URLs. */
  readonly fetch: boolean;
  /** Trusts every folder. */
  readonly trust: boolean;
  /** Further rules of protected and secret files. */
  readonly paths: Partial<PathRules>;
  /** Variables of this process that are hidden from commands, besides those that are named like secrets. */
  readonly keyVariables: readonly string[];
};

/** Tools, MCP servers, permissions and project rules of one session. */
export type Workbench = ReturnType<typeof openWorkbench>;

/** Opens the workbench of a session and starts its MCP servers at once. It is closed with the session's signal. */
export function openWorkbench(session: AgentSession<unknown>, options: WorkbenchOptions) {
  const { currentMode, fetch, paths, keyVariables } = options;
  const pathCheck = createPathCheck(paths);
  const trust = createTrust(trustFile(), options.trust);
  const reported = new Set<string>();
  const permission = createPermission(currentMode);
  const notices = createNotices(session);
  const mcp = connectMcpServers(session.mcpServers, {
    cwd: session.cwd,
    signal: session.signal,
    onFailure: ({ server, reason }) =>
      notices.show({ severity: "warning", title: `The MCP server ${server} cannot be used`, text: reason }),
  });
  return {
    /**
     * Prepares a turn. Waits for MCP servers that are still starting, at most half a minute or until the turn is
     * cancelled, and shows the failed ones to the user.
     *
     * @param use `look` leaves out every tool that could change something
     * @returns with the rules of the project and the instructions of the MCP servers, which may be empty
     */
    async prepareTurn(turn: Turn<unknown>, use: "work" | "look") {
      const { signal } = turn;
      const starting = mcp.starting();
      // Servers that are downloaded first take long: the user sees the reason for the delay.
      if (starting.length > 0) await turn.think(`MCP servers that are still starting: ${starting.join(", ")}.\n\n`);
      // Schemas of inputs need zod, which no session needs before its first prompt.
      const { builtInTools } = await import("./tools/tools.js");
      const isTrusted = (root: string) => trust.covers(root, turn);
      const [rules] = await Promise.all([readProjectRules(session.roots, isTrusted), untilAborted(mcp.ready, signal)]);
      for (const path of rules.refused) {
        if (reported.has(path)) continue;
        reported.add(path);
        notices.show({ severity: "warning", title: `${path} is not used: others than you could have written it` });
      }
      const own = builtInTools({ fetch });
      await notices.writeTo(turn);
      const env = commandEnvironment(process.env, keyVariables);
      return {
        tools:
          use === "look" ? own.filter(({ parallel }) => parallel) : [...own, ...mcp.tools(own.map(({ name }) => name))],
        context: {
          workspace: createWorkspace(session, turn.files, pathCheck),
          permission,
          terminals: turn.terminals ?? createLocalTerminals(session, { signal, env, graceMs: GRACE_MS }),
        },
        rules: [rules.text, mcp.instructions()].filter(Boolean).join("\n\n"),
      };
    },
    /** Forgets every answer "always". */
    forgetAnswers: () => permission.forget(),
    /** Ends the MCP servers of the session with all their processes. */
    close: mcp.close,
  };
}

/** Waits for an event, but not past the end of the turn. The event itself goes on. */
async function untilAborted(event: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const aborted = signal.aborted ? undefined : once(signal, "abort", { signal: over.signal }).catch(() => undefined);
  await Promise.race([event, aborted]);
  over.abort();
}
