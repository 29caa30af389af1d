import type { Meta, UnknownTag } from "./content.js";

/** One value of a select option. */
export type ConfigChoice = {
  readonly value: string;
  readonly name: string;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
};

/** A heading over some of a select option's values. */
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
  /** `mode`, `model`, `model_config`, `thought_level` or another; for presentation only. */
  readonly category?: string | null;
  /**
   * Method by which version 1 sets the option, if it was read from `modes` or `models`. Absent:
   * `session/set_config_option`.
   */
  readonly setBy?: "session/set_mode" | "session/set_model";
  readonly _meta?: Meta | null;
};

/** An option with one of several values; the values are flat or grouped, never mixed. */
export type SelectOption = ConfigOptionBase & {
  readonly type: "select";
  readonly currentValue: string;
  readonly options: readonly ConfigChoice[] | readonly ConfigChoiceGroup[];
};

/** An option that is on or off. */
export type BooleanOption = ConfigOptionBase & { readonly type: "boolean"; readonly currentValue: boolean };

/** Setting that the user may choose. Modes and models of version 1 are options too. */
export type ConfigOption = SelectOption | BooleanOption | (ConfigOptionBase & { readonly type: UnknownTag });

/** A command that the user may type as `/name`. */
export type AvailableCommand = {
  readonly type: "command" | UnknownTag;
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly input?: { readonly type: "text" | UnknownTag; readonly hint?: string; readonly _meta?: Meta | null } | null;
  readonly _meta?: Meta | null;
};

/** Money, or another unit such as credits, spent by the session so far. */
export type Cost = { readonly amount: number; readonly currency: string; readonly _meta?: Meta | null };

/** Returns the select of a category. */
export const selectOf = (options: readonly ConfigOption[], category: string): SelectOption | undefined =>
  options.find((option): option is SelectOption => option.category === category && option.type === "select");

/** Returns the choices of a select, without their groups. */
export const choicesOf = ({ options }: SelectOption): readonly ConfigChoice[] =>
  options.flatMap((choice) => ("groupId" in choice ? choice.options : [choice]));
