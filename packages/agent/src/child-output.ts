import type { Encoder } from "@turnkit/session/codec";
import type { ChildOwner, ChildParts } from "./children.js";
import { SessionOutput } from "./session-output.js";

/** Creates the output of a child session. The log of the root session gets its events. */
export function openChildOutput(
  { driver, output }: Pick<ChildOwner, "driver" | "output">,
  parts: ChildParts,
  { id, encode }: { readonly id: string; readonly encode?: Encoder | undefined },
): SessionOutput {
  return new SessionOutput({
    id,
    connection: parts.connection,
    limits: parts.limits,
    encode: encode ?? driver.createEncoder((loss) => parts.lost(loss, id)),
    repeatsContents: encode === undefined && driver.dialect.repeatsContents,
    parent: output,
    onFault: (message, error, code = "outgoing_invalid") => parts.report({ code, message, sessionId: id, error }),
  });
}
