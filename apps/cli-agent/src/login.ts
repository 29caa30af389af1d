import type { ReadStream } from "node:tty";
import { configurationFolder } from "@turnkit/node-client/user-folders";
import type { Flags } from "./config/flags.js";
import { forgetKeys, readKeys, storeKey } from "./config/keys.js";
import { readConfig } from "./config/settings.js";
import { ConfigError } from "./errors.js";
import { keyedProviders } from "./models/known-providers.js";
import { CUSTOM, namedProviders } from "./models/providers.js";

const MAX_KEY = 4_096;

export type Asking = {
  readonly input: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY" | "setRawMode">>;
  readonly output: NodeJS.WritableStream;
};

/**
 * Asks the user for a key and stores the key. On a terminal, the key is not shown. Without a terminal, the first line
 * of the input is the key.
 *
 * @param flags `target` is the id of a known or configured provider; without `target` the user is asked for the
 * provider
 * @throws ConfigError for an unknown provider, a missing key, or an invalid one
 */
export async function login(flags: Pick<Flags, "target" | "config">, { input, output }: Asking): Promise<void> {
  const known = namedProviders(await readConfig(flags)).add(CUSTOM);
  const { target } = flags;
  if (target !== undefined && !known.has(target)) {
    throw new ConfigError(`There is no provider \`${target}\`; there are ${[...known].join(", ")}.`);
  }
  const lines = readLines(input, output);
  try {
    const id = target ?? (await askProvider(lines, output));
    output.write(`API key for ${id} (it is not shown): `);
    const key = (await lines.hidden()).trim();
    // The message never contains the input, because the input may be a key.
    if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError("The input is not a key, so nothing was stored.");
    output.write(`Stored in ${await storeKey(configurationFolder(), id, key)}, for you alone.\n`);
  } finally {
    lines.close();
  }
}

/** Removes the key of one provider, or the keys of all providers. Prints a note if no key was stored. */
export async function logout(provider: string | undefined, output: NodeJS.WritableStream): Promise<void> {
  const folder = configurationFolder();
  const kept = Object.keys(await readKeys(folder));
  if (provider === undefined) {
    await forgetKeys(folder);
    output.write(kept.length === 0 ? "No key was stored.\n" : "All stored keys are forgotten.\n");
  } else if (kept.includes(provider)) {
    await storeKey(folder, provider, undefined);
    output.write(`The key for ${provider} is forgotten.\n`);
  } else {
    output.write(`No key was stored for ${provider}${kept.length === 0 ? "" : `; there are ${kept.join(", ")}`}.\n`);
  }
}

async function askProvider(lines: Lines, output: NodeJS.WritableStream): Promise<string> {
  for (const [index, { name }] of keyedProviders.entries()) output.write(`${index + 1}  ${name}\n`);
  output.write("For which provider is the key? ");
  const answer = (await lines.shown()).trim();
  const chosen = keyedProviders[Number(answer) - 1] ?? keyedProviders.find(({ id }) => id === answer.toLowerCase());
  if (answer === "")
    throw new ConfigError("No provider was named. Name it, for example: turnkit-agent login anthropic");
  if (!chosen) throw new ConfigError(`\`${answer}\` is none of these providers.`);
  return chosen.id;
}

type Lines = ReturnType<typeof readLines>;

/**
 * Returns a reader of lines. On a terminal the reader takes single keys without an echo, because libraries for line
 * editing echo the keys or store a history.
 */
function readLines(input: Asking["input"], output: NodeJS.WritableStream) {
  const isTerminal = input.isTTY === true;
  if (isTerminal) input.setRawMode?.(true);
  input.setEncoding("utf8");
  const letters = (async function* () {
    for await (const chunk of input) yield* String(chunk);
  })();
  let previous = "";

  const line = async (echo: (text: string) => void): Promise<string> => {
    let typed = "";
    for (;;) {
      const isSecondOfPair = previous === "\r";
      // The end of the input ends the line too.
      const { value: letter = "\n" } = await letters.next();
      previous = letter;
      if (letter === "\n" && isSecondOfPair) continue;
      if (letter === "\r" || letter === "\n") {
        if (isTerminal) output.write("\n");
        return typed;
      }
      if (isTerminal && (letter === "\u0003" || letter === "\u0004")) throw new ConfigError("Nothing was stored.");
      if (isTerminal && (letter === "\u007f" || letter === "\b")) {
        if (typed !== "") echo("\b \b");
        typed = typed.slice(0, -1);
      } else {
        typed += letter;
        echo(letter);
      }
      if (typed.length > MAX_KEY) throw new ConfigError("The key is too long.");
    }
  };

  return {
    shown: () => line((text) => void (isTerminal && output.write(text))),
    hidden: () => line(() => {}),
    close(): void {
      if (isTerminal) input.setRawMode?.(false);
      void letters.return();
    },
  };
}
