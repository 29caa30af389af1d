import { readCommand } from "../command.js";
import { optionWith } from "../config-option.js";
import { listOf } from "../shape.js";
import { type Kind, kind } from "../updates.js";

/** An option, also under the names of older drafts. */
export const configOption = /* @__PURE__ */ optionWith(1);

/** The whole list of commands. */
export const commandsUpdate: Kind = /* @__PURE__ */ kind("availableCommands", {
  availableCommands: /* @__PURE__ */ listOf(readCommand),
});

/** The whole list of options. */
export const optionsUpdate: Kind = /* @__PURE__ */ kind("configOptions", {
  configOptions: /* @__PURE__ */ listOf(configOption),
});
