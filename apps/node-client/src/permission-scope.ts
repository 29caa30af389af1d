import type { AskedAbout, DecisionScope } from "@turnkit/client/broker";
import { displayPath } from "./render/display-path.js";

/** Maximum number of files that {@link scopeWords} names. */
export const MAX_NAMED = 5;

/** Returns the questions that a permanent decision covers, in words. Folders inside `directory` are relative to it. */
export function scopeWords({ type, tool, kind, cwd, access, folder, paths }: DecisionScope, directory: string): string {
  const name = tool ?? kind ?? "this tool";
  switch (type) {
    case "command":
      return `exactly this command line in ${cwd ?? folder}${accessWords(access)}`;
    case "files": {
      const named = paths.slice(0, MAX_NAMED).map((path) => displayPath(path, directory));
      const more = paths.length - named.length;
      return `every ${name} of exactly ${named.join(", ")}${more > 0 ? ` and ${more} more files` : ""}`;
    }
    case "input":
      return `${name} with exactly this input`;
    case "custom":
      return "questions that are the same";
  }
}

/** Returns the additional access of a command, in words that follow its folder. */
export function accessWords(access: DecisionScope["access"]): string {
  const words = { network: "with the network", outside_sandbox: "outside of the sandbox" } as const;
  return (access ?? []).map((one) => `, ${words[one]}`).join("");
}

/**
 * Returns the text about an "always" answer: its scope in this program, and its expiry date. An agent may also remember
 * the answer in its own way, which this program cannot show.
 */
export function alwaysText(always: AskedAbout["always"], directory: string): string {
  if (always === undefined) return "turnkit does not remember it; the agent decides what it covers";
  const { scope, expiresAt } = always;
  return `turnkit remembers until ${dayOf(expiresAt)}: ${scopeWords(scope, directory)}`;
}

/** Returns the day of a moment, such as `2026-12-24`. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
