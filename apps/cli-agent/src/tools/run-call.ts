import type { ToolCall } from "@turnkit/agent";
import { messageOf } from "../errors.js";
import type { ToolOutput } from "../model.js";

// This function has its own file, because the file of the built-in tools loads zod.
/**
 * Runs a tool and reports the end of its call: `completed`, `cancelled` after an abort, or `failed`.
 *
 * @throws the error of the tool; after an abort, the reason of the signal
 */
export async function runCall(
  call: ToolCall,
  signal: AbortSignal,
  run: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  try {
    const output = await run();
    await call.finish();
    return output;
  } catch (error) {
    if (signal.aborted) await call.update({ status: "cancelled" });
    else await call.fail(messageOf(error));
    throw signal.aborted ? signal.reason : error;
  }
}
