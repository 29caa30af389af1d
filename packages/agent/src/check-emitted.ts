import type { SessionState, WireEvent } from "@turnkit/session";
import type { Diagnostic } from "@turnkit/transport";
import { checkUpdate } from "./check-update.js";
import { checkOwnMode } from "./config-value.js";

/** Session or child session that emits an update of the agent. */
type Emitter = {
  readonly output: {
    readonly state: SessionState;
    onFault(message: string, error: undefined, code: Diagnostic["code"]): void;
  };
  /** True until the session has its options, which its handler returns. */
  readonly isOpening?: boolean;
};

/**
 * Checks an update that an agent emits, as the method of the session or turn for this update does. Reports values that
 * clients may not know.
 *
 * @throws TypeError for an update of another form, and for a mode that the session does not have
 */
export function checkEmitted(event: WireEvent, { output, isOpening = false }: Emitter): void {
  for (const mistake of checkUpdate(event)) output.onFault(mistake, undefined, "unused_option");
  if (event.type === "current_mode_update" && !isOpening) {
    checkOwnMode("emit current_mode_update", output.state.configOptions ?? [], event.currentModeId);
  }
}
