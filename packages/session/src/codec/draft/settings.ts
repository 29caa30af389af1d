import { readCommand } from "../command.js";
import { optionBy } from "../config-option.js";
import { listOf, type Shape } from "../shape.js";

/** An option, also under the names of older drafts. */
export const configOption = /* @__PURE__ */ optionBy({ id: ["configId", "id"], group: ["groupId", "group"], least: 1 });

/** The whole list of commands. */
export const commandsUpdate: Shape = [{ availableCommands: /* @__PURE__ */ listOf(readCommand) }];

/** The whole list of options. */
export const optionsUpdate: Shape = [{ configOptions: /* @__PURE__ */ listOf(configOption) }];
