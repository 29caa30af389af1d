import { readdir } from "node:fs/promises";
import type { AgentSession, Turn } from "@turnkit/agent";
import { createLocalTerminals } from "@turnkit/agent/node";
import { createPathCheck } from "@turnkit/session/paths";
import type { Rule } from "./action.js";
import { createCheckpoints, withCheckpoints } from "./checkpoints/checkpoints.js";
import { stateFolder, statePath } from "./config/folders.js";
import { misspelledNames } from "./config/misspelled-names.js";
import { removeLeftFolders } from "./config/private-folders.js";
import type { ProjectPart } from "./config/project-part.js";
import type { Settings } from "./config/settings.js";
import { configuredServers } from "./mcp/configured-servers.js";
import { createMcpServers, type McpFailure } from "./mcp/servers.js";
import type { ConversationItem } from "./model.js";
import type { Mode } from "./modes.js";
import { createNotices } from "./notices.js";
import { createOwnCommands } from "./own-commands/own-commands.js";
import { createPermission } from "./permission.js";
import { createPermissionRules } from "./permission-rules.js";
import { createProjectConfig } from "./project-config.js";
import { withNestedRules } from "./rules/nested-rules.js";
import { readProjectRules } from "./rules/project-rules.js";
import { createSandboxChoice } from "./sandbox/sandbox-choice.js";
import { createBackgroundCommands } from "./tools/background-commands.js";
import { commandEnvironment } from "./tools/command-environment.js";
import { createTrust } from "./trust.js";
import { unlessAborted } from "./unless-aborted.js";
import { createWorkspace } from "./workspace.js";

/**
 * Time between SIGTERM and SIGKILL for a command, in milliseconds. It is shorter than the time that a client waits for
 * the exit of this process.
 */
const GRACE_MS = 1_000;

type WorkbenchOptions = { readonly currentMode: () => Mode } & Pick<
  Settings,
  "fetch" | "trust" | "sandbox" | "network" | "paths" | "keyVariables" | "own"
>;

/** Turn or child session in which tools work, with the terminals that the agent opens there. */
export type Stage = Pick<Turn, "files" | "terminals" | "signal"> & Pick<AgentSession<unknown>, "terminal">;

/** Tools, MCP servers, permissions and project rules of one session. */
export type Workbench = ReturnType<typeof openWorkbench>;

/**
 * Opens the workbench of a session and starts its MCP servers immediately. The workbench closes when the session's
 * signal aborts.
 */
export function openWorkbench(session: AgentSession<unknown>, options: WorkbenchOptions) {
  const { currentMode, fetch, keyVariables } = options;
  // The session's folder may contain the agent's own state, such as the list of trusted folders.
  const paths = { ...options.paths, protected: [...(options.paths.protected ?? []), `${stateFolder()}/**`] };
  const pathCheck = createPathCheck(paths);
  const trust = createTrust(statePath("trust.json"), options.trust);
  const notices = createNotices(session);
  const checkpoints = createCheckpoints({
    sessionId: session.id,
    cwd: session.cwd,
    roots: session.roots,
    stores: statePath("checkpoints"),
    signal: session.signal,
    isSecret: (path) => pathCheck.secretBy(path) !== undefined,
    onProblem: (reason) =>
      notices.show({ severity: "info", title: `/undo cannot restore files in this session: ${reason}` }),
  });
  const report = (refused: readonly string[]) => {
    for (const path of refused) {
      notices.showOnce({ severity: "warning", title: `${path} is not used: another user could have written it` });
    }
  };
  const project = createProjectConfig(session, {
    trust,
    onRefused: report,
    onProblem: (title) => notices.showOnce({ severity: "warning", title }),
  });
  const parts = () => [options.own, project.current()];
  const ruleFor: Rule = (action) => createPermissionRules(parts(), session.cwd)(action);
  const permission = withCheckpoints(createPermission(currentMode, ruleFor), checkpoints);
  const commandEnv = () => commandEnvironment(process.env, { secrets: keyVariables, distrusted: session.roots });
  const sandbox = createSandboxChoice({
    mode: options.sandbox,
    network: options.network,
    async open() {
      const { openSandbox } = await import("./sandbox/open-sandbox.js");
      return openSandbox({ roots: session.roots, env: commandEnv(), paths, signal: session.signal });
    },
    onMissing: (reason) =>
      notices.show({ severity: "info", title: `Commands are not sandboxed, and ask in every mode: ${reason}` }),
  });
  // An earlier command may have created rules, which must not reach the model.
  const recovered = options.sandbox === "off" ? undefined : recoverPlans(session.roots);
  void recovered?.then((sentences) => {
    for (const title of sentences) notices.show({ severity: "warning", title });
  });
  for (const part of ["runners", "tmp"] as const) void removeLeftFolders(part);
  const background = createBackgroundCommands(session, { env: commandEnv, graceMs: GRACE_MS });
  const failed = ({ server, reason }: McpFailure) => {
    // The settings are read for each turn, and a fault in them is reported once.
    notices.showOnce({ severity: "warning", title: `The MCP server ${server} cannot be used`, text: reason });
  };
  const mcp = createMcpServers({ place: session, signal: session.signal, onFailure: failed });
  const startServers = (part: ProjectPart, isTrusted: () => Promise<boolean>) => {
    const { servers, missing } = configuredServers(part, process.env, keyVariables);
    missing.forEach(failed);
    mcp.add(servers, isTrusted);
  };
  const isKnown = () => trust.knows(session.cwd);
  mcp.add(session.mcpServers, isKnown);
  startServers(options.own, isKnown);
  const commands = createOwnCommands(session, { trust, onRefused: report });
  return {
    commands,
    showNotice: notices.show,
    /**
     * Prepares a turn. Waits for MCP servers that are still starting, for at most 30 s or until the turn is cancelled.
     * Shows failed servers to the user.
     *
     * @param use `look` leaves out every tool that could change something
     * @returns the tools and hooks of the turn, the rules of the project, and the instructions of the MCP servers.
     * The rules and instructions may be empty.
     */
    async prepareTurn(turn: Turn<unknown>, use: "work" | "look") {
      const { signal } = turn;
      const { cwd, roots } = session;
      await recovered;
      const isTrusted = (root: string) => trust.covers(root, turn);
      // The user has seen which servers the project starts.
      startServers(await project.refresh(turn), async () => true);
      if (await mcp.needTrust()) mcp.decide(await isTrusted(session.cwd));
      const starting = mcp.starting();
      // The first start of a server may include a long download, so the user sees the reason for the delay.
      if (starting.length > 0) await turn.think(`MCP servers that are still starting: ${starting.join(", ")}.\n\n`);
      // The schemas of inputs need zod. A session loads zod only with its first prompt.
      const [{ builtInTools }, { createHooks }] = await Promise.all([
        import("./tools/tools.js"),
        import("./hooks/hooks.js"),
      ]);
      const connected = unlessAborted(mcp.ready(), signal).catch(() => undefined);
      const [rules] = await Promise.all([readProjectRules(roots, { isTrusted }), connected]);
      report(rules.refused);
      const own = [...builtInTools({ fetch }), ...(await commands.tools())];
      const all = [...own, ...mcp.tools(own.map(({ name }) => name))];
      const known = { tools: all.map(({ name }) => name), servers: mcp.names() };
      for (const title of misspelledNames(parts(), known)) notices.showOnce({ severity: "warning", title });
      await notices.writeTo(turn);
      sandbox.prepare();
      const env = commandEnv();
      const terminalsOf = (stage: Stage, line?: string) => {
        const terminal: Stage["terminal"] = (start) =>
          stage.terminal(line === undefined ? start : { ...start, command: line });
        return createLocalTerminals({ cwd, roots, signal: stage.signal, terminal }, { env, graceMs: GRACE_MS });
      };
      const tools = use === "look" ? own.filter(({ parallel }) => parallel) : all;
      const hooks = createHooks({
        ...{ sessionId: session.id, cwd, env, sandbox, signal, parts: parts() },
        mayRun: () => currentMode() !== "review" && use !== "look",
        onRun: checkpoints.widen,
      });
      return {
        hooks,
        /** Returns the tools for a conversation. The conversation shows which rules the model already has. */
        toolsFor: (conversation: readonly ConversationItem[]) =>
          hooks.around(withNestedRules(tools, { cwd, roots, conversation, isTrusted })),
        /** Returns the context for tools in the turn or in a child session. */
        contextFor: (stage: Stage) => ({
          workspace: createWorkspace(session, stage.files, pathCheck),
          permission,
          isTrusted,
          hasTrust: (root: string) => trust.knows(root),
          terminals: stage.terminals ?? terminalsOf(stage),
          sandbox,
          background,
          ownTerminals: (line: string) => terminalsOf(stage, line),
        }),
        rules: [rules.text, mcp.instructions()].filter(Boolean).join("\n\n"),
      };
    },
    checkpoints,
    /** Removes every stored answer "always". */
    forgetAnswers: () => permission.forget(),
    close: async () => void (await Promise.all([mcp.close(), sandbox.close()])),
  };
}

/** Renames protected files of commands whose agent was killed. Returns sentences for the user. */
async function recoverPlans(roots: readonly string[]): Promise<readonly string[]> {
  const folder = statePath("plans");
  if (process.platform !== "linux" || (await readdir(folder).catch(() => [])).length === 0) return [];
  const { recover } = await import("./sandbox/recover.js");
  return recover(folder, { path: process.env.PATH ?? "", roots });
}
