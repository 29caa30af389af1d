import { agentContract as contract } from "@turnkit/schema/v1";
import type { ClientCapabilities } from "@turnkit/session";
import type { Connection } from "@turnkit/transport";
import type { Lifetime } from "../driver/driver.js";

/**
 * The client's files, unsaved buffers included. A method that is absent was not offered by the client. After the turn was
 * cancelled or ended every method rejects with `AcpError` `aborted`.
 */
export interface ClientFiles {
  /**
   * Text of a file. `line` is 1-based, `limit` a number of lines.
   *
   * @param path absolute, inside the session's roots
   * @throws RpcError `-32002` where there is no such file, others as the client decides
   */
  read?(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /**
   * Replaces or makes a file. A write that is on its way when the turn is cancelled is waited for, so that whoever reports
   * it knows whether it happened.
   *
   * @param path absolute, inside the session's roots
   * @throws RpcError as the client decides
   */
  write?(path: string, content: string): Promise<void>;
}

/** Files through `fs/*` of version 1; `undefined` if the client offers neither reading nor writing. */
export function createClientFiles(
  connection: Connection,
  capabilities: ClientCapabilities,
  sessionId: string,
  lifetime: Lifetime,
): ClientFiles | undefined {
  const { read, write } = capabilities.files;
  if (!read && !write) return undefined;
  const files: ClientFiles = {};
  if (read) {
    files.read = async (path, range = {}) => {
      const params = { sessionId, path, ...range };
      const options = {
        result: contract["fs/read_text_file"].result,
        signal: lifetime.signal,
        onAbort: "abandon",
      } as const;
      return (await connection.request("fs/read_text_file", params, options)).content;
    };
  }
  if (write) {
    files.write = async (path, content) => {
      const options = { result: contract["fs/write_text_file"].result, signal: lifetime.signal };
      await connection.request("fs/write_text_file", { sessionId, path, content }, options);
    };
  }
  return files;
}
