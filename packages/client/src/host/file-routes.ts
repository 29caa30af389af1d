import type { ReadTextFileRequest, WriteTextFileRequest } from "@turnkit/schema/v1";
import type { InboundCall } from "@turnkit/transport";
import type { Desk } from "../driver/driver.js";
import type { LiveSession } from "../session.js";
import type { HostSession } from "./files.js";

/** Handlers of `fs/*` for what the host offers; the rest does not exist, and is not advertised. */
export function fileRoutes(desk: Desk) {
  const { files } = desk;
  const read = files?.readTextFile?.bind(files);
  const write = files?.writeTextFile?.bind(files);
  return {
    "fs/read_text_file":
      read &&
      (({ sessionId, path, line, limit }: ReadTextFileRequest, call: InboundCall) =>
        inPlace(desk.session(sessionId), call, async (session) => ({
          content: await read({ path, line, limit }, session),
        }))),
    "fs/write_text_file":
      write &&
      (({ sessionId, path, content }: WriteTextFileRequest, call: InboundCall) =>
        inPlace(desk.session(sessionId), call, async (session) => {
          await write({ path, content }, session);
          return {};
        })),
  };
}

/** Starts a request handler in the order of its session, without holding up what follows. */
export function inPlace<T>(
  session: LiveSession,
  call: InboundCall,
  work: (session: HostSession) => Promise<T>,
): Promise<T> {
  const { id: sessionId, cwd, roots } = session;
  const signal = AbortSignal.any([call.signal, session.signal]);
  return new Promise((resolve, reject) => {
    session.lane.begin(call.bytes, () => void work({ sessionId, cwd, roots, signal }).then(resolve, reject));
  });
}
