import type { ConfigOption } from "@turnkit/agent";

/**
 * How far the agent may go: `ask` before everything that has effects, `accept-edits` and ask before the rest, `review`
 * and change nothing, `auto` and ask nothing.
 */
export type Mode = "ask" | "accept-edits" | "review" | "auto";

const MODES: readonly { readonly value: Mode; readonly name: string; readonly description: string }[] = [
  { value: "ask", name: "Ask", description: "Ask before every edit and every command" },
  { value: "accept-edits", name: "Accept edits", description: "Write edits at once, ask before everything else" },
  { value: "review", name: "Review", description: "Show edits and never write" },
  { value: "auto", name: "Auto", description: "Ask nothing, inside the session's folders" },
];

/** The names of all modes. */
export const modes: readonly Mode[] = MODES.map(({ value }) => value);

/** The option by which a client shows and changes the mode; it begins as the user configured it. */
export const modeOption = (currentValue: Mode): ConfigOption => ({
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  description: "What the agent may do without asking",
  currentValue,
  options: MODES,
});

/** The mode of that name; what is none means `ask`, the careful one. */
export function readMode(value: unknown): Mode {
  return MODES.find((mode) => mode.value === value)?.value ?? "ask";
}
