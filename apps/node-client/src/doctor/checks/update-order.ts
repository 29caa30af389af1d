import { type Check, counted } from "../check.js";
import { updatesAfterTheEnd } from "../wire.js";

export const updateOrder: Check = {
  id: "update-order",
  title: "sends all updates of a turn before its end",
  look(evidence) {
    if (evidence.turn === undefined) return "untested";
    const late = updatesAfterTheEnd(evidence);
    if (late.length === 0) return undefined;
    return {
      severity: "problem",
      seen: counted(
        late,
        "update after the answer that ended its turn",
        "updates after the answer that ended their turn",
      ),
      advice:
        "Wait until all updates of a turn are written before you answer session/prompt: clients stop listening then.",
    };
  },
};
