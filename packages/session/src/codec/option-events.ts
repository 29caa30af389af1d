import type { EventOf, SessionEvent } from "../event.js";
import { reduce } from "../reduce.js";
import type { SessionState } from "../state.js";

type OptionEvent = EventOf<"config_option_update" | "config_option_set" | "current_mode_update">;

/**
 * Returns a change of options as `config_option_update`, the form that listeners get in every dialect. Returns
 * `undefined` if the state already contains the change. An agent may report one change several times: with an update,
 * with an update of the older form, and with its answer.
 */
export function optionChange(state: SessionState, event: OptionEvent): SessionEvent | undefined {
  const next = reduce(state, event);
  const { configOptions } = next;
  if (configOptions !== undefined && configOptions !== state.configOptions) {
    if (event.type === "config_option_update") return event;
    const { _meta, extra, at } = event as EventOf<"current_mode_update">;
    return {
      type: "config_option_update",
      configOptions,
      ...(_meta && { _meta }),
      ...(extra && { extra }),
      ...(at && { at }),
    };
  }
  // If a mode arrives before the options, or is unknown, the reducer handles it.
  return event.type === "current_mode_update" && next !== state ? event : undefined;
}
