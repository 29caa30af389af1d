import type { AuthMethod } from "@turnkit/agent";
import { configFolder } from "./config/config-folder.js";
import { readKeys, storeKey } from "./config/keys.js";
import { knownProviders } from "./models/catalogue.js";

/** Providers for which a key can be stored without any configuration. */
export const keyedProviders = knownProviders.filter(({ keyVariable }) => keyVariable !== undefined);

/** A login is this program once more, in a terminal, where the key is typed: it never crosses the protocol. */
export const authMethods: readonly AuthMethod[] = keyedProviders.map(({ id, name, keyVariable }) => ({
  type: "terminal",
  methodId: `${id}-api-key`,
  name: `${name} API key`,
  description: `Asks for the key in a terminal and stores it for you alone. ${keyVariable} in the environment counts before it.`,
  args: ["login", id],
  env: [],
}));

/** Forgets every stored key; those of the environment are not the agent's to forget. */
export async function forgetKeys(): Promise<void> {
  const folder = configFolder();
  for (const provider of Object.keys(await readKeys(folder))) await storeKey(folder, provider, undefined);
}
