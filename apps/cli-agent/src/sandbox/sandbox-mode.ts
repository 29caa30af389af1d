export const sandboxModes = ["require", "auto", "off"] as const;

/**
 * Use of the sandbox:
 *
 * - `require`: no command runs without it
 * - `auto`: where there is none, commands run without it, and each question says so
 * - `off`: it is not used
 */
export type SandboxMode = (typeof sandboxModes)[number];
