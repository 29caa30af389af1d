import type { ProviderSpec } from "./catalogue.js";
import { keyedProviders } from "./known-providers.js";

/**
 * Returns Markdown for a user whose sessions begin with the offline reviewer, because no language model is set up. Each
 * step is a command or a choice that the user can copy.
 *
 * @param offered ids of the language models that the user can already choose
 */
export function setupAdvice(offered: readonly string[], providers: readonly ProviderSpec[]): string {
  const withKey = providers.filter(({ key, type }) => key && type === "openai-compatible");
  const [first, ...others] = keyedProviders.map(({ id }) => id);
  const variables = keyedProviders.slice(0, 4).map(({ keyVariable }) => `\`${keyVariable}\``);
  const steps = [
    ...offered.slice(0, 3).map((id) => `Choose the model \`${id}\`, or start with \`--model ${id}\`.`),
    ...withKey.map(({ id, name }) => `Name a model of ${name}: \`--model ${id}/NAME\`.`),
    `Store a key with \`turnkit-agent login ${first}\`, and begin a new session. Others: ${others.join(", ")}.`,
    `Set ${variables.join(", ")} or the variable of another provider, and start again.`,
    ...(offered.some((id) => id.startsWith("ollama/"))
      ? []
      : ["Start Ollama on this machine, and begin a new session."]),
  ];
  const state = offered.length === 0 ? "set up" : "chosen";
  return [
    `**No language model is ${state}, so the offline reviewer answers.** To use a language model, do one of these:\n`,
    ...steps.map((step) => `- ${step}`),
    "\n`--model reviewer` turns this message off.",
  ].join("\n");
}
