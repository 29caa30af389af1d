import type { Channel, Diagnostic } from "@turnkit/transport";
import { absentVariables } from "@turnkit/transport/node";
import { isSecretName, tapChannel } from "@turnkit/transport/trace";
import type { Environment } from "./environment.js";

/** Maximum number of names of variables in one piece of advice. */
const MAX_NAMES = 5;

/** Maximum length of an error that is searched for names, in characters. */
const MAX_TEXT = 64 * 1024;

/** Maximum length of a name that is split between two pieces of stderr, in characters. */
const MAX_NAME = 200;

/** Returns advice for an agent that failed at its start: variables that look like API keys, and that it did not get. */
export function grantAdvice(env: Environment): readonly string[] {
  const withheld = Object.keys(process.env).filter((name) => isSecretName(name) && env[name] === undefined);
  return [...(withheld.length === 0 ? [] : withheldAdvice(withheld.sort())), ...absentAdvice(absentVariables(env))];
}

function withheldAdvice(withheld: readonly string[]): readonly string[] {
  const names = withheld.slice(0, MAX_NAMES);
  const more = withheld.length > MAX_NAMES ? ` and ${withheld.length - MAX_NAMES} more` : "";
  return [
    `The agent did not get these variables, which may contain API keys: ${names.join(", ")}${more}.`,
    `To pass one, use env: childEnvironment({ names: [${JSON.stringify(names[0])}] }).`,
  ];
}

function absentAdvice(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const what = "childEnvironment got these names, but this process has no such variables";
  return [`${what}: ${names.join(", ")}. Set them before you start this program, or remove their names.`];
}

/**
 * Watch of the errors and the stderr of an agent. It reports each variable that the agent names there, and that the agent
 * did not get.
 */
export type VariableWatch = {
  stderr(text: string): void;
  /** Returns the channel with a reader of its errors. */
  wrap(channel: Channel): Channel;
};

/**
 * Creates the watch for an agent with this environment. Each name is reported once. Granted variables that this process
 * does not have are reported immediately. Ungranted variables are found only if their names are upper case and contain
 * `_`.
 */
export function watchVariables(env: Environment, report: (diagnostic: Diagnostic) => void): VariableWatch {
  for (const message of absentAdvice(absentVariables(env))) report({ code: "withheld_variable", message });
  const own = Object.keys(process.env).filter((name) => env[name] === undefined && name.includes("_") && name !== "_");
  const withheld = new Set(own);
  let rest = "";
  const read = (text: string): void => {
    for (const [name] of text.matchAll(/[A-Z0-9_]+/g)) {
      if (!withheld.delete(name)) continue;
      const remedy = `This process has it. To pass it, use env: childEnvironment({ names: [${JSON.stringify(name)}] }).`;
      report({ code: "withheld_variable", message: `The agent names ${name}, which it did not get. ${remedy}` });
    }
  };
  return {
    stderr(text) {
      const all = rest + text;
      read(all);
      // The next piece may continue the last word.
      const end = all.slice(-MAX_NAME);
      rest = end.slice(Math.max(...[" ", "\n", "=", "'", '"'].map((one) => end.lastIndexOf(one))) + 1);
    },
    wrap(channel) {
      if (withheld.size === 0) return channel;
      const observe = (event: object): void => {
        const error = errorIn((event as { readonly message?: unknown }).message);
        if (error !== undefined && "direction" in event && event.direction === "received") {
          read(JSON.stringify(error).slice(0, MAX_TEXT));
        }
      };
      return tapChannel(channel, observe, { secrets: "show" });
    },
  };
}

type Failing = { readonly error?: object; readonly params?: { readonly update?: { readonly error?: object } } };

/** Returns the error of an answer, or of an update that ends a turn. */
function errorIn(message: unknown): object | undefined {
  const { error, params } = (message ?? {}) as Failing;
  return error ?? params?.update?.error;
}
