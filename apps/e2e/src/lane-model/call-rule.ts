import { BUDGET, type Rule } from "./rule.js";

/** Call of a client that its agent serves in order. It ends at once, by a step, or after a client's answer. */
export const callPrograms = ["quick", "slow", "asks"] as const;
export type Call = {
  readonly session: number;
  readonly program: (typeof callPrograms)[number];
  readonly isLarge: boolean;
};

type Running = { readonly call: Call; readonly began: number; readonly asked: number };

/** An agent that serves calls, what is on its way to it, and the cancel of session 1 that follows them. */
export type CallState = {
  wire: (Call | { readonly answer: number } | "cancel")[];
  owed: number[];
  open: number[];
  issued: number;
  sessions: { queue: Call[]; running: Running[] }[];
  isCancelled: boolean;
};

export const beginCalls = (calls: readonly Call[]): CallState => ({
  wire: [...calls, "cancel"],
  owed: [],
  open: [],
  issued: 0,
  sessions: [0, 1].map(() => ({ queue: [], running: [] })),
  isCancelled: false,
});

/** Reading has stopped: in the rule as it was, calls took the room of what waits for listeners. */
const isFull = ({ sessions }: CallState, rule: Rule): boolean =>
  rule === "was" &&
  sessions.reduce((sum, { queue }) => sum + queue.reduce((more, { isLarge }) => more + (isLarge ? BUDGET : 1), 0), 0) >=
    BUDGET;

/** Returns the steps that happen by themselves. The end of a slow call is none: it may never come. */
export function callSteps(state: CallState, rule: Rule): readonly string[] {
  return [...(state.wire.length > 0 && !isFull(state, rule) ? ["read"] : []), ...state.owed.map((id) => `react ${id}`)];
}

export function slowCalls({ sessions }: CallState): readonly string[] {
  const isSlow = ({ running }: CallState["sessions"][number]) => running.some(({ call }) => call.program === "slow");
  return sessions.flatMap((session, at) => (isSlow(session) ? [`end ${at}`] : []));
}

export function afterCall(before: CallState, step: string, rule: Rule): CallState {
  const state = JSON.parse(JSON.stringify(before)) as CallState;
  const [verb, what] = step.split(" ");
  const number = Number(what);
  if (verb === "react") {
    state.owed = state.owed.filter((id) => id !== number);
    state.wire.push({ answer: number });
  } else if (verb === "end") {
    const session = state.sessions[number] as CallState["sessions"][number];
    const at = session.running.findIndex(({ call }) => call.program === "slow");
    session.running.splice(at, 1);
  } else {
    const frame = state.wire.shift();
    if (frame === "cancel") state.isCancelled = true;
    else if (frame !== undefined && "answer" in frame) state.open = state.open.filter((id) => id !== frame.answer);
    else if (frame !== undefined) state.sessions[frame.session]?.queue.push(frame);
  }
  settle(state, rule);
  return state;
}

function settle(state: CallState, rule: Rule): void {
  for (let changes = true; changes; ) {
    changes = false;
    for (const session of state.sessions) {
      const still = session.running.filter(({ call, asked }) => call.program === "slow" || state.open.includes(asked));
      changes ||= still.length < session.running.length;
      session.running = still;
      const holder = session.running.at(-1);
      const yields = rule === "was" && isFull(state, rule) && state.open.some((id) => id > (holder?.began ?? 0));
      const [call] = session.queue;
      if (call === undefined || (holder !== undefined && !yields)) continue;
      session.queue.shift();
      changes = true;
      if (call.program === "quick") continue;
      const began = state.issued;
      if (call.program === "asks") state.open.push(++state.issued);
      if (call.program === "asks") state.owed.push(state.issued);
      session.running.push({ call, began, asked: state.issued });
    }
  }
}
