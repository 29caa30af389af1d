import type { ConfigOption } from "@turnkit/agent";

/**
 * Mode of a session, which says what the agent may do without a question:
 *
 * - `ask`: nothing with effects
 * - `accept-edits`: edits
 * - `review`: no effects at all; edits and commands are only shown
 * - `auto`: everything, except to run commands outside of the sandbox, to read secret files and to write protected
 *   files
 */
export type Mode = "ask" | "accept-edits" | "review" | "auto";

const MODES: readonly { readonly value: Mode; readonly name: string; readonly description: string }[] = [
  { value: "ask", name: "Ask", description: "Ask before every edit and every command" },
  { value: "accept-edits", name: "Accept edits", description: "Write edits at once, ask before everything else" },
  { value: "review", name: "Review", description: "Show edits and never write" },
  { value: "auto", name: "Auto", description: "Ask only for commands outside of the sandbox, and for protected files" },
];

export const modes: readonly Mode[] = MODES.map(({ value }) => value);

export const modeOption = (currentValue: Mode): ConfigOption => ({
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  description: "What the agent may do without asking",
  currentValue,
  options: MODES,
});

/** Returns the mode with that name; `ask` for an unknown name. */
export function readMode(value: unknown): Mode {
  return MODES.find((mode) => mode.value === value)?.value ?? "ask";
}
