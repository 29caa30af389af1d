import type { EventOf, SessionEvent } from "../event.js";
import { reduce } from "../reduce.js";
import type { SessionState } from "../state.js";

type OptionEvent = EventOf<"config_option_update" | "config_option_set" | "current_mode_update">;

/**
 * Returns a change of options in the one form that listeners get in every dialect: `config_option_update`. Returns
 * `undefined` for a change that the state has already. An agent may report one choice several times: by an update, by
 * an update of the older form, and by its answer.
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
  // A mode that precedes the options, or that nobody offered, is for the reducer.
  return event.type === "current_mode_update" && next !== state ? event : undefined;
}
