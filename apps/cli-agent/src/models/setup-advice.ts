import type { ProviderSpec } from "./catalogue.js";
import { keyedProviders, knownProviders } from "./known-providers.js";
import { CUSTOM, type ProviderSources } from "./providers.js";

/**
 * Returns steps for servers that the user has named in the environment or in the configuration, and that lack a model or
 * a key. Without these steps, the names would be ignored in silence.
 *
 * @param offered ids of the language models that the user can already choose
 */
export function serverSteps(
  offered: readonly string[],
  providers: readonly ProviderSpec[],
  { env, config }: Pick<ProviderSources, "env" | "config">,
): readonly string[] {
  const steps = providers.flatMap(({ id, name, type, key, keyVariable, needsKey }) => {
    const variable = knownProviders.find((known) => known.id === id)?.baseURLVariable;
    const isOfEnvironment = variable !== undefined && Boolean(env[variable]);
    const isNamed = isOfEnvironment || config.providers?.[id] !== undefined;
    const hasGatewayKey = key !== undefined && type === "openai-compatible";
    if ((!isNamed && !hasGatewayKey) || offered.some((one) => one.startsWith(`${id}/`))) return [];
    const place = isOfEnvironment ? `the server at \`${variable}\`` : name;
    if (needsKey && key === undefined) return [`Set \`${keyVariable}\`, the key of ${place}.`];
    return [`Name a model of ${place}: \`--model ${id}/NAME\`.`];
  });
  const hasKeyAlone = env.TURNKIT_API_KEY && !providers.some(({ id }) => id === CUSTOM);
  return hasKeyAlone
    ? [...steps, "Give the address of the server of `TURNKIT_API_KEY`: `--base-url URL --model NAME`."]
    : steps;
}

/**
 * Returns Markdown for a user whose sessions begin with the offline reviewer, because no language model is set up. Each
 * step is a command or a choice that the user can copy.
 *
 * @param offered ids of the language models that the user can already choose
 * @param openSteps result of {@link serverSteps}
 */
export function setupAdvice(offered: readonly string[], openSteps: readonly string[]): string {
  const [first, ...others] = keyedProviders.map(({ id }) => id);
  const variables = keyedProviders.slice(0, 4).map(({ keyVariable }) => `\`${keyVariable}\``);
  const steps = [
    ...offered.slice(0, 3).map((id) => `Choose the model \`${id}\`, or start with \`--model ${id}\`.`),
    ...openSteps,
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
