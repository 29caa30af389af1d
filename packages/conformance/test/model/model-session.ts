/** Frame of any shape. */
export type Loose = Record<string, any>;

export type ModelTurn = { readonly aborted: Promise<void>; isAborted: boolean; abort(): void };

export type ModelSession = {
  readonly id: string;
  readonly cwd: string;
  /** Updates that a replay repeats. */
  readonly history: Loose[];
  /** Prompts by key (version 2). */
  readonly keys: Map<string, string>;
  readonly values: Loose;
  isOpen: boolean;
  mode: string;
  turn: ModelTurn | undefined;
  prompts: number;
};

/** Error on the wire. */
export const failure = (code: number, message: string, data?: unknown): Loose => ({
  rpc: { code, message, ...(data !== undefined && { data }) },
});

/** Command in memory, which does what one of the scripts says. */
export type ModelTerminal = {
  output: string;
  truncated: boolean;
  exit: Loose | undefined;
  readonly pidFile: string | undefined;
  readonly waits: ((exit: Loose) => void)[];
};
