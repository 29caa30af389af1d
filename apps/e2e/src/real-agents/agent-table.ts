import { join } from "node:path";
import type { ModelServer } from "../models/model-server.js";

/** An agent of another project, and its settings for the stand-in in place of its provider. */
export type RealAgent = {
  readonly name: string;
  /** Its package of npm, with the version that was tried. */
  readonly install: string;
  /** Program and arguments; the program is in the `.bin` folder of the installation. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Returns the variables besides the usual ones. All of them point away from the user's own files. */
  env(server: ModelServer, home: string): Readonly<Record<string, string>>;
  /** Returns the path of its settings in the home folder, and their content. Absent if variables are enough. */
  settings?(server: ModelServer): { readonly path: string; readonly content: object };
  /** The tool by which it writes a file, and its input. */
  write(path: string, content: string): { readonly tool: string; readonly input: object };
  /** The tool by which it reads a file, and its input. */
  read(path: string): { readonly tool: string; readonly input: object };
  /** The tool by which it runs a command, and its input. */
  run(command: string): { readonly tool: string; readonly input: object };
  /** The tool that starts a subagent, and its input. Absent for an agent without child sessions. */
  delegate?(task: string): { readonly tool: string; readonly input: object };
};

const openCodeModel = (name: string) => ({
  ...{ name, tool_call: true, attachment: true, limit: { context: 100_000, output: 4_000 } },
  modalities: { input: ["text", "image"], output: ["text"] },
});

const openCodeConfig = (url: string) => ({
  model: "standin/m",
  small_model: "standin/m",
  autoupdate: false,
  share: "disabled",
  permission: { edit: "ask", bash: "ask" },
  provider: {
    standin: {
      npm: "@ai-sdk/openai-compatible",
      name: "Stand-in",
      options: { baseURL: url, apiKey: "none" },
      models: { m: openCodeModel("M"), n: openCodeModel("N") },
    },
  },
});

/** Those that can be had from npm and pointed at another model. */
export const realAgents: readonly RealAgent[] = [
  {
    name: "opencode",
    install: "opencode-ai@1.18.33",
    command: ["opencode", "acp"],
    env: (server, home) => ({
      HOME: home,
      ...Object.fromEntries(["CONFIG", "DATA", "CACHE", "STATE"].map((kind) => [`XDG_${kind}_HOME`, join(home, kind)])),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeConfig(server.url)),
    }),
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    read: (filePath) => ({ tool: "read", input: { filePath } }),
    run: (command) => ({ tool: "bash", input: { command, description: "Runs a command" } }),
  },
  {
    name: "gemini",
    install: "@google/gemini-cli@0.61.0",
    command: ["gemini", "--acp"],
    env: (server, home) => ({
      HOME: home,
      GEMINI_API_KEY: "stand-in",
      GEMINI_MODEL: "gemini-2.5-flash",
      GOOGLE_GEMINI_BASE_URL: server.origin,
    }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    run: (command) => ({ tool: "run_shell_command", input: { command, description: "Runs a command" } }),
  },
  {
    name: "qwen",
    install: "@qwen-code/qwen-code@0.24.4",
    command: ["qwen", "--acp", "--approval-mode", "default"],
    env: (server, home) => ({
      HOME: home,
      OPENAI_API_KEY: "stand-in",
      OPENAI_BASE_URL: server.url,
      OPENAI_MODEL: "m",
    }),
    settings: ({ url }) => ({
      path: ".qwen/settings.json",
      content: {
        modelProviders: { openai: ["m", "n"].map((id) => ({ id, envKey: "OPENAI_API_KEY", baseUrl: url })) },
      },
    }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    run: (command) => ({ tool: "run_shell_command", input: { command, is_background: false } }),
  },
  {
    name: "claude",
    install: "@agentclientprotocol/claude-agent-acp@0.100.0",
    command: ["claude-agent-acp"],
    env: (server, home) => ({
      HOME: home,
      ANTHROPIC_API_KEY: "stand-in",
      ANTHROPIC_BASE_URL: server.origin,
      DISABLE_TELEMETRY: "1",
      IS_SANDBOX: "1", // it refuses to run as root otherwise, as it would in a container
    }),
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    read: (file_path) => ({ tool: "Read", input: { file_path } }),
    run: (command) => ({ tool: "Bash", input: { command, description: "Runs a command" } }),
    delegate: (prompt) => ({
      tool: "Agent",
      input: { description: "Look at it", prompt, subagent_type: "general-purpose", run_in_background: false },
    }),
  },
];
