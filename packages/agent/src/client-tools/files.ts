import { agentContract as contract } from "@turnkit/schema/v1";
import type { ClientCapabilities } from "@turnkit/session";
import { type Connection, checkArgument, checkOptions } from "@turnkit/transport";
import { isAbsolute } from "../absolute-path.js";
import type { Lifetime } from "../cancellation.js";

/**
 * Files of the client, with unsaved changes in its editors. A method is absent if the client does not offer it. After a
 * cancel or the end of the turn, every method rejects with `AcpError` `aborted`.
 */
export interface ClientFiles {
  /**
   * Reads the text of a file. `line` is the first line, counted from 1. `limit` is a number of lines.
   *
   * @param path absolute, inside the session's roots
   * @throws TypeError for a path that is not absolute, and for arguments of another type
   * @throws RpcError `-32002` for a file that does not exist
   * @throws RpcError with another code that the client chooses
   */
  read?(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /**
   * Replaces or creates a file. If the turn is cancelled after the request was sent, the promise still settles with the
   * result.
   *
   * @param path absolute, inside the session's roots
   * @throws TypeError for a path that is not absolute, and for arguments of another type
   * @throws RpcError with a code that the client chooses
   */
  write?(path: string, content: string): Promise<void>;
}

/** Returns files over `fs/*` of version 1, with the methods that the client offers. */
export function createClientFiles(
  connection: Connection,
  { read, write }: ClientCapabilities["files"],
  sessionId: string,
  lifetime: Lifetime,
): ClientFiles {
  const files: ClientFiles = {};
  if (read) {
    files.read = async (path, range = {}) => {
      checkPath("turn.files.read", path);
      checkRange("turn.files.read range", range);
      const { result } = contract["fs/read_text_file"];
      const options = { result, signal: lifetime.signal, onAbort: "abandon" } as const;
      return (await connection.request("fs/read_text_file", { sessionId, path, ...range }, options)).content;
    };
  }
  if (write) {
    files.write = async (path, content) => {
      checkPath("turn.files.write", path);
      checkArgument(typeof content === "string", "turn.files.write content", { got: content, remedy: "pass a text" });
      const options = { result: contract["fs/write_text_file"].result, signal: lifetime.signal };
      await connection.request("fs/write_text_file", { sessionId, path, content }, options);
    };
  }
  return files;
}

/** The error of the client would say that the params of the prompt are invalid. */
function checkPath(call: string, got: unknown): void {
  const isSound = typeof got === "string" && isAbsolute(got);
  checkArgument(isSound, `${call} path`, { got, remedy: "pass the absolute path as text" });
}

/**
 * Prints members of a range that do not exist, because the whole file would be read.
 *
 * @throws TypeError for a range of another type
 */
export function checkRange(call: string, range: unknown): void {
  const remedy = "pass { line, limit }, or leave the range out";
  checkArgument(typeof range === "object" && range !== null, call, { got: range, remedy });
  const first = "Pass line, the number of the first line.";
  const remedies = { offset: first, start: first, from: first, end: "Pass limit, a number of lines." };
  checkOptions(call, range as object, { line: "number", limit: "number" }, { remedies });
}
