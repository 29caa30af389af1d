import type { ReadTextFileRequest, WriteTextFileRequest } from "@turnkit/schema/v1";
import type { InboundCall } from "@turnkit/transport";
import type { Desk } from "../driver/driver.js";
import { inPlace } from "./in-place.js";

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
