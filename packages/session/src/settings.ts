import type { Meta, UnknownTag } from "./content.js";

/** Value of a select option. */
export type ConfigChoice = {
  readonly value: string;
  readonly name: string;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
};

/** Group of values of a select option, with a heading. */
export type ConfigChoiceGroup = {
  readonly groupId: string;
  readonly name: string;
  readonly options: readonly ConfigChoice[];
  readonly _meta?: Meta | null;
};

type ConfigOptionBase = {
  readonly configId: string;
  readonly name: string;
  readonly description?: string | null;
  /**
   * Category of the option, such as `mode`, `model`, `model_config` or `thought_level`. It is only a hint for the
   * display.
   */
  readonly category?: string | null;
  /**
   * Method of version 1 that changes the option, if the option was read from `modes` or `models`. If it is absent, the
   * method is `session/set_config_option`.
   */
  readonly setBy?: "session/set_mode" | "session/set_model";
  readonly _meta?: Meta | null;
};

/** Option with one of several values. Either all values are in groups, or none. */
export type SelectOption = ConfigOptionBase & {
  readonly type: "select";
  readonly currentValue: string;
  readonly options: readonly ConfigChoice[] | readonly ConfigChoiceGroup[];
};

/** Option that is on or off. */
export type BooleanOption = ConfigOptionBase & { readonly type: "boolean"; readonly currentValue: boolean };

/** Setting that the user can change. The modes and models of version 1 are also options. */
export type ConfigOption = SelectOption | BooleanOption | (ConfigOptionBase & { readonly type: UnknownTag });

/** Command that the user can type as `/name`. */
export type AvailableCommand = {
  readonly type: "command" | UnknownTag;
  /** Name without the slash. */
  readonly name: string;
  readonly description: string;
  readonly input?: { readonly type: "text" | UnknownTag; readonly hint?: string; readonly _meta?: Meta | null } | null;
  readonly _meta?: Meta | null;
};

/** Money, or another unit such as credits, that the session has cost until now. */
export type Cost = { readonly amount: number; readonly currency: string; readonly _meta?: Meta | null };

/** Returns the select option of a category. */
export const selectOf = (options: readonly ConfigOption[], category: string): SelectOption | undefined =>
  options.find((option): option is SelectOption => option.category === category && option.type === "select");

/** Returns the choices of a select option, without their groups. */
export const choicesOf = ({ options }: SelectOption): readonly ConfigChoice[] =>
  options.flatMap((choice) => ("groupId" in choice ? choice.options : [choice]));
