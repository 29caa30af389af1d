import type { AvailableCommand, ConfigOption } from "@turnkit/agent";

/** How far the agent may go: `ask` before every edit, or `review` and never write. */
export type Mode = "ask" | "review";

/** The option by which a client shows and changes the mode. */
export const modeOption: ConfigOption = {
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  description: "What happens to an edit that the agent proposes",
  currentValue: "ask" satisfies Mode,
  options: [
    { value: "ask" satisfies Mode, name: "Ask", description: "Ask before every edit" },
    { value: "review" satisfies Mode, name: "Review", description: "Show edits and never write" },
  ],
};

/** What the user may type after a slash. */
export const commands: readonly AvailableCommand[] = [
  {
    type: "command",
    name: "review",
    description: "Review files with oxlint",
    input: { type: "text", hint: "one file or several, such as src/cart.ts" },
  },
  { type: "command", name: "help", description: "What this agent can do" },
];
