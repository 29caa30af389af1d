import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentTerminalStart, BackgroundWork, ClientTerminals } from "@turnkit/agent";
import { createLocalTerminals } from "@turnkit/agent/node";
import { onTestFinished } from "vitest";
import type { ToolOutput } from "../src/model.js";
import type { Mode } from "../src/modes.js";
import { createPermission } from "../src/permission.js";
import { createSandboxChoice, type SandboxChoice } from "../src/sandbox/sandbox-choice.js";
import { createBackgroundCommands } from "../src/tools/background-commands.js";
import { commandEnvironment } from "../src/tools/command-environment.js";
import type { Tool, ToolContext } from "../src/tools/tool.js";
import { createWorkspace } from "../src/workspace.js";
import { RecordingTurn } from "./recording-turn.js";

/** Creates a temporary folder for one test; returns its real path. */
export async function createFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-agent-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Setting = {
  readonly roots?: readonly string[];
  readonly client?: Parameters<typeof createWorkspace>[1];
  /** Sandbox of commands; there is none by default. */
  readonly sandbox?: (roots: readonly string[]) => SandboxChoice;
  readonly takesPictures?: boolean;
  readonly isTrusted?: boolean;
  /** Signal of the session. It also ends with the test. */
  readonly sessionSignal?: AbortSignal;
  /** Terminals of the client. */
  readonly terminals?: ClientTerminals;
};

const noSandbox = () =>
  createSandboxChoice({
    mode: "auto",
    network: false,
    open: async () => ({ reason: "this is a test" }),
    onMissing: () => undefined,
  });

/** Creates a session with real files, permissions and terminals, whose user is the test. */
export async function createToolContext(setting: Setting = {}) {
  const { roots = [], client = {}, sandbox = noSandbox, takesPictures = true, terminals } = setting;
  const cwd = await createFolder();
  const turn = new RecordingTurn();
  // Nothing outlives its test.
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const state: { mode: Mode } = { mode: "ask" };
  const shown: string[] = [];
  const background: (readonly BackgroundWork[])[] = [];
  const session = {
    cwd,
    roots: [cwd, ...roots],
    signal: setting.sessionSignal ? AbortSignal.any([setting.sessionSignal, over.signal]) : over.signal,
    terminal: (_start?: AgentTerminalStart) => ({
      terminalId: `terminal-${shown.push("")}`,
      write(output: Uint8Array | string) {
        shown[shown.length - 1] += typeof output === "string" ? output : Buffer.from(output).toString();
        turn.received();
        return undefined;
      },
      exit: () => undefined,
    }),
    setBackground: (work: readonly BackgroundWork[]) => void background.push(work),
  };
  const ownTerminals = () => createLocalTerminals(session, { signal: turn.signal, graceMs: 200 });
  const env = () => commandEnvironment(process.env, { distrusted: [] });
  const context: ToolContext = {
    turn,
    signal: turn.signal,
    workspace: createWorkspace(session, client),
    permission: createPermission(() => state.mode),
    terminals: terminals ?? ownTerminals(),
    sandbox: sandbox(session.roots),
    takesPictures,
    isTrusted: async () => setting.isTrusted ?? true,
    hasTrust: async () => setting.isTrusted ?? true,
    background: createBackgroundCommands(session, { env, graceMs: 200 }),
    ownTerminals,
  };
  /** Calls a tool like the loop does. */
  const use = async (tool: Tool, input: unknown): Promise<ToolOutput> => tool.open(input, context).run();
  /** Calls a tool and returns the text for the model. */
  const textOf = async (tool: Tool, input: unknown): Promise<string> => {
    const output = await use(tool, input);
    return output.type === "text" ? output.value : JSON.stringify(output);
  };
  return { cwd, turn, state, context, shown, background, use, textOf };
}
