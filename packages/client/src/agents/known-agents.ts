/** Command that starts an agent: a program and its arguments. */
export type AgentCommand = readonly [string, ...string[]];

/** Agent of another project, or of turnkit, with the ways to start it. */
export type KnownAgent = {
  /** Short name, in lower case. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /**
   * Commands that start the agent, best first. Use the first command whose program is installed. A command of `npx`
   * fetches a pinned version. Start it in an empty folder, because `npx` prefers packages of its folder.
   */
  readonly commands: readonly AgentCommand[];
  /**
   * Names of variables with the agent's keys. `launch` passes none of them by default; see `childEnvironment` of `./node`.
   * Most agents also have a login, and need no variable then.
   */
  readonly variables: readonly string[];
  /** Instructions for installing the agent, as a sentence for users. */
  readonly install: string;
};

type Start = Pick<KnownAgent, "install"> & {
  readonly commands: readonly AgentCommand[];
  readonly variables?: readonly string[];
};

const known = (name: string, title: string, { variables = [], ...start }: Start): KnownAgent => ({
  ...{ name, title, ...start, variables },
});

/** Makes a command with which `npx` fetches an npm package and starts it. */
const npx = (name: string): AgentCommand => ["npx", "-y", name];

/**
 * Known agents and their launch commands, from the agents' documentation as of November 2026. The list is sorted by name,
 * after turnkit's own agent.
 */
export const knownAgents: readonly KnownAgent[] = [
  known("turnkit", "turnkit-agent", {
    commands: [["turnkit-agent"]],
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "TURNKIT_API_KEY"],
    install: "see apps/cli-agent in turnkit's repository",
  }),
  known("auggie", "Auggie", {
    commands: [["auggie", "--acp"]],
    install: "npm install -g @augmentcode/auggie",
  }),
  known("claude", "Claude Code (by its adapter)", {
    commands: [["claude-agent-acp"], ["claude-code-acp"], npx("@agentclientprotocol/claude-agent-acp@0.101.0")],
    variables: ["ANTHROPIC_API_KEY"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
  }),
  known("cline", "Cline", { commands: [["cline", "--acp"]], install: "npm install -g cline" }),
  known("codex", "Codex (by its adapter)", {
    commands: [["codex-acp"], npx("@agentclientprotocol/codex-acp@2.6.0")],
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    install: "npm install -g @agentclientprotocol/codex-acp",
  }),
  known("copilot", "GitHub Copilot", {
    commands: [["copilot", "--acp", "--stdio"]],
    variables: ["GH_TOKEN", "GITHUB_TOKEN"],
    install: "npm install -g @github/copilot",
  }),
  known("cursor", "Cursor", {
    commands: [["cursor-agent", "acp"]],
    variables: ["CURSOR_API_KEY"],
    install: "see cursor.com/cli",
  }),
  known("droid", "Factory Droid", {
    commands: [["droid", "exec", "--output-format", "acp"]],
    variables: ["FACTORY_API_KEY"],
    install: "see docs.factory.ai",
  }),
  known("gemini", "Gemini CLI", {
    commands: [["gemini", "--acp"]],
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    install: "npm install -g @google/gemini-cli",
  }),
  known("goose", "goose", { commands: [["goose", "acp"]], install: "see block.github.io/goose" }),
  known("junie", "Junie", { commands: [["junie", "--acp=true"]], install: "see junie.jetbrains.com" }),
  known("kilocode", "Kilo Code", {
    commands: [
      ["kilo", "acp"],
      ["kilocode", "acp"],
    ],
    install: "npm install -g @kilocode/cli",
  }),
  known("kimi", "Kimi Code", { commands: [["kimi", "acp"]], install: "see github.com/MoonshotAI" }),
  known("kiro", "Kiro", {
    commands: [
      ["kiro-cli", "acp"],
      ["kiro-cli-chat", "acp"],
    ],
    install: "see kiro.dev/cli",
  }),
  known("opencode", "OpenCode", { commands: [["opencode", "acp"]], install: "npm install -g opencode-ai" }),
  known("qoder", "Qoder", { commands: [["qodercli", "--acp"]], install: "npm install -g @qoder-ai/qodercli" }),
  known("qwen", "Qwen Code", {
    commands: [["qwen", "--acp"]],
    variables: ["OPENAI_API_KEY"],
    install: "npm install -g @qwen-code/qwen-code",
  }),
  known("vibe", "Mistral Vibe", {
    commands: [["vibe-acp"]],
    variables: ["MISTRAL_API_KEY"],
    install: "uv tool install mistral-vibe",
  }),
];

/**
 * Returns the known agent of this name, or `undefined`.
 *
 * @example
 * const { commands, variables } = findKnownAgent("gemini") ?? {};
 */
export function findKnownAgent(name: string): KnownAgent | undefined {
  return knownAgents.find((agent) => agent.name === name);
}
