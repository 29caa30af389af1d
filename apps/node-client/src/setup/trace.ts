import { once } from "node:events";
import { closeSync, createWriteStream, type WriteStream } from "node:fs";
import { extname } from "node:path";
import type { Channel } from "@turnkit/transport";
import { recordChannel, redactSecrets } from "@turnkit/transport/trace";
import { UsageError } from "../exit-code.js";
import { openPrivateFile } from "./private-file.js";

export type Trace = ReturnType<typeof createTrace>;

/** Creates an empty log that only the user can read. Throws UsageError if the file cannot be written. */
export function createTrace(path: string, env: NodeJS.ProcessEnv) {
  const secrets = secretsIn(env);
  const files: WriteStream[] = [];
  let failure: Error | undefined;
  const openFile = (name: string) => {
    const file = createWriteStream(name, { fd: openPrivateFile(name, "replace") });
    file.on("error", (error) => {
      failure ??= error;
    });
    files.push(file);
    return file;
  };
  // The file is tried before the agent starts.
  try {
    closeSync(openPrivateFile(path, "replace"));
  } catch (error) {
    throw new UsageError(`--trace: ${path} cannot be written: ${(error as Error).message}.`);
  }
  return {
    /**
     * Returns the channel with a recorder of its messages. Each call has its own file. If the agent is started again,
     * the name of its file ends with `-2` before the extension.
     */
    record(channel: Channel): Channel {
      let file: WriteStream;
      try {
        file = openFile(nameOf(path, files.length + 1));
      } catch (error) {
        failure ??= error as Error;
        return channel;
      }
      return recordChannel(channel, (line) => file.write(line), { secrets });
    },
    /** Resolves when the log is on the disk. The value is an error if the log could not be written. */
    async close(): Promise<Error | undefined> {
      for (const file of files) {
        const closed = once(file, "close").catch(() => undefined);
        file.end();
        if (!file.closed) await closed;
      }
      return failure;
    },
  };
}

/** Minimum length of a secret in characters. Shorter values also occur in ordinary text. */
const MIN_SECRET = 6;

/**
 * Returns the values of variables with the name of a secret. The log must not contain them, but an agent may repeat
 * them.
 */
export function secretsIn(env: NodeJS.ProcessEnv): readonly string[] {
  const isSecret = (name: string) => (redactSecrets({ [name]: "plain" }) as NodeJS.ProcessEnv)[name] !== "plain";
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= MIN_SECRET && isSecret(name) ? [value] : [],
  );
}

function nameOf(path: string, number: number): string {
  if (number === 1) return path;
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}-${number}${ending}`;
}
