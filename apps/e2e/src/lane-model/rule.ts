/**
 * Behaviours of a listener. `asks`: it awaits a request, which the peer answers. `asked here`, `asked there`: the peer
 * first asks something in the same or the other session. `awaits`: it awaits the answer to a request that was sent
 * before all updates. `chained`: it awaits the listeners of its session that began before it. `slow`: it ends when a
 * step of the test ends it.
 */
export const programs = ["quick", "slow", "asks", "asked here", "asked there", "awaits", "chained"] as const;
export type Program = (typeof programs)[number];

/** A message of the peer. An `end` is the end of a turn that began after all requests up to now. */
export type Frame =
  | { readonly kind: "update"; readonly lane: number; readonly program: Program }
  | { readonly kind: "question"; readonly lane: number; readonly call: number }
  | { readonly kind: "end"; readonly lane: number }
  | { readonly kind: "answer"; readonly call: number };

type Update = { readonly name: string; readonly program: Program };
type Item =
  | Update
  | { readonly name: string; readonly call: number }
  | { readonly name: string; readonly after: number };
type Running = Update & { readonly began: number; call: number; isStuck: boolean };
export type LaneState = {
  queue: Item[];
  running: Running[];
  started: string[];
  busySince: number;
  isStarting: boolean;
};

/** State of one side of a connection, with the messages on their way to it, and the remaining work of its peer. */
export type State = {
  /** Frames that the peer sends without being asked, in this order. */
  script: Frame[];
  wire: Frame[];
  /** Requests that the peer has not handled. */
  owed: { call: number; asks?: number | undefined }[];
  lanes: LaneState[];
  /** Requests without an answer. The first was sent before all updates. */
  open: number[];
  issued: number;
  /** Items that wait in lanes. An item is counted until it has started. */
  waiting: number;
  isFull: boolean;
  arrived: number;
  readonly mostOverlap: number;
};

/**
 * Rule of a connection. `is` is the current rule. `was` is the rule with the defects B3 and B6. Under it, an item
 * overtakes a listener only if reading has stopped and the listener may wait for a request that was sent after its
 * start. The tests use `was` to show that the model can find these defects.
 */
export type Rule = "was" | "is";
export const BUDGET = 2;
/** Maximum number of listeners that run at the same time as earlier listeners, as in the code. */
const OVERLAP = 10 * BUDGET;

/** @param mostOverlap maximum number of listeners that run at the same time as earlier listeners */
export function begin(script: readonly Frame[], mostOverlap = OVERLAP): State {
  const lane = (): LaneState => ({ queue: [], running: [], started: [], busySince: 0, isStarting: false });
  const last: Frame = { kind: "answer", call: 1 };
  return {
    script: [...script, last],
    wire: [],
    owed: [],
    lanes: [lane(), lane()],
    open: [1],
    issued: 1,
    waiting: 0,
    isFull: false,
    arrived: 0,
    mostOverlap,
  };
}

/** Returns the steps that can happen next. */
export function stepsOf(state: State, rule: Rule): readonly string[] {
  const { script, wire, owed, lanes, isFull } = state;
  const slow = lanes.flatMap(({ running }) => running.filter(({ program }) => program === "slow"));
  return [
    ...(script.length > 0 ? ["send"] : []),
    ...(wire.length > 0 && !isFull ? ["read"] : []),
    ...owed.map(({ call }) => `react ${call}`),
    ...slow.map(({ name }) => `end ${name}`),
    ...(rule === "is" && lanes.some((lane) => standsStill(state, lane) && !lane.running[0]?.isStuck) ? ["wait"] : []),
  ];
}

/** Returns the state after a step. */
export function after(before: State, step: string, rule: Rule): State {
  const state = copyOf(before);
  const [verb, what = ""] = step.split(" ");
  if (verb === "send") state.wire.push(state.script.shift() as Frame);
  if (verb === "read") read(state, state.wire.shift() as Frame, rule);
  if (verb === "react") react(state, Number(what));
  if (verb === "end") for (const { running } of state.lanes) drop(running, ({ name }) => name === what);
  if (verb === "wait") {
    for (const lane of byAge(state)) {
      if (lane.running[0] && standsStill(state, lane)) lane.running[0].isStuck = true;
      drain(state, lane, rule);
    }
  }
  settle(state, rule);
  return state;
}

/**
 * Copies the lists that a step changes. Messages, requests and items are not copied. Copying named members is the
 * fastest way.
 */
const copyOf = (state: State): State => ({
  script: state.script.slice(),
  wire: state.wire.slice(),
  owed: state.owed.slice(),
  lanes: state.lanes.map(({ queue, running, started, busySince, isStarting }) => ({
    queue: queue.slice(),
    running: running.map(({ name, program, began, call, isStuck }) => ({ name, program, began, call, isStuck })),
    started: started.slice(),
    busySince,
    isStarting,
  })),
  open: state.open.slice(),
  issued: state.issued,
  waiting: state.waiting,
  isFull: state.isFull,
  arrived: state.arrived,
  mostOverlap: state.mostOverlap,
});

/**
 * Returns a text that is equal for equal states of one walk. The text contains only the length of the remaining script.
 * A walk spends most of its time here, and JSON would take four times as long.
 */
export function keyOf({ script, wire, owed, lanes, open, issued, waiting, isFull, arrived }: State): string {
  let key = `${script.length} ${issued} ${waiting} ${isFull} ${arrived} ${open}`;
  for (const frame of wire) {
    key += `|${frame.kind}${"lane" in frame ? frame.lane : ""}${"call" in frame ? `:${frame.call}` : ""}`;
    if ("program" in frame) key += frame.program;
  }
  for (const { call, asks } of owed) key += `<${call}:${asks}`;
  for (const { queue, running, started, busySince } of lanes) {
    key += `/${busySince}>${started}`;
    for (const item of queue) {
      key += `,${item.name}${"program" in item ? item.program : "call" in item ? `:${item.call}` : `@${item.after}`}`;
    }
    for (const { name, program, began, call, isStuck } of running)
      key += `;${name}${program}${began}:${call}${isStuck}`;
  }
  return key;
}

/** Returns the number of listeners that run at the same time as earlier listeners. */
export const overlapIn = ({ lanes }: State): number =>
  lanes.reduce((sum, { running }) => sum + Math.max(0, running.length - 1), 0);

/** Returns true if no further step is possible and nothing waits. */
export const isDone = (state: State): boolean =>
  state.wire.length + state.script.length + state.owed.length + state.waiting === 0 &&
  state.lanes.every(({ running }) => running.length === 0);

const isHandler = (item: Item): boolean => "call" in item;

/**
 * Returns true if the end of a turn waits, and the listener began before the turn. A stuck listener from before a turn
 * must not delay its end.
 */
const endWaits = (queue: readonly Item[], { began }: Running): boolean =>
  queue.some((item) => "after" in item && began < item.after);

function standsStill({ isFull }: State, { queue, running: [oldest] }: LaneState): boolean {
  return oldest !== undefined && (isFull || queue.some(isHandler) || endWaits(queue, oldest));
}

function read(state: State, frame: Frame, rule: Rule): void {
  if (frame.kind === "answer") return drop(state.open, (call) => call === frame.call);
  state.arrived += 1;
  const lane = state.lanes[frame.lane] as LaneState;
  const name = `${frame.kind}-${state.arrived}`;
  if (frame.kind === "end") lane.queue.push({ name, after: state.issued });
  else lane.queue.push(frame.kind === "update" ? { name, program: frame.program } : { name, call: frame.call });
  state.waiting += 1;
  // An item that starts at once does not wait.
  if (lane.running.length === 0) drain(state, lane, rule);
  else if (state.waiting >= BUDGET) state.isFull = true;
}

/** Lets the peer answer a request. The peer may first send its own request, and answer after its handler. */
function react(state: State, call: number): void {
  const { asks } = state.owed.find((one) => one.call === call) ?? {};
  drop(state.owed, (one) => one.call === call);
  state.wire.push(asks === undefined ? { kind: "answer", call } : { kind: "question", lane: asks, call });
}

/** Ends listeners and starts items until nothing changes. */
function settle(state: State, rule: Rule): void {
  for (let changes = true; changes; ) {
    drainAll(state, rule);
    changes = false;
    for (const lane of state.lanes) {
      const ended = lane.running.find((one, at) => hasEnded(state, one, at));
      if (ended !== undefined) drop(lane.running, (one) => one === ended);
      changes ||= ended !== undefined;
      if (lane.running.length + lane.queue.length === 0) lane.busySince = 0;
    }
  }
}

function drainAll(state: State, rule: Rule): void {
  for (const lane of byAge(state)) drain(state, lane, rule);
}

const byAge = ({ lanes }: State): LaneState[] => [...lanes].sort((one, other) => one.busySince - other.busySince);

function drain(state: State, lane: LaneState, rule: Rule): void {
  while (lane.queue.length > 0 && !lane.isStarting && mayStart(state, lane, rule)) {
    lane.isStarting = true;
    startNext(state, lane, rule);
    lane.isStarting = false;
    state.waiting -= 1;
    if (state.waiting <= BUDGET / 2) state.isFull = false;
  }
}

function hasEnded({ open }: State, { program, call }: Running, at: number): boolean {
  if (program === "slow") return false;
  return program === "chained" ? at === 0 : !open.includes(call);
}

function mayStart(state: State, { queue, running }: LaneState, rule: Rule): boolean {
  const [oldest] = running;
  if (oldest === undefined) return true;
  const mayWait = ({ began }: Running): boolean => state.open.some((call) => call > began);
  if (rule === "was") {
    const holder = running.find(({ isStuck }) => !isStuck);
    // Under the old rule, a listener that was overtaken once no longer blocks its lane.
    if (holder !== undefined && state.isFull && mayWait(holder)) holder.isStuck = true;
    return running.every(({ isStuck }) => isStuck);
  }
  return (
    (state.isFull || queue.some(isHandler) || (oldest.isStuck && endWaits(queue, oldest))) &&
    overlapIn(state) < state.mostOverlap &&
    (oldest.isStuck || mayWait(oldest))
  );
}

function startNext(state: State, lane: LaneState, rule: Rule): void {
  const item = lane.queue.shift() as Item;
  if ("after" in item) return;
  lane.started.push(item.name);
  if (!("program" in item)) return void state.wire.push({ kind: "answer", call: item.call });
  if (item.program === "quick") return;
  const began = state.issued;
  const asks = item.program.startsWith("ask");
  if (asks) {
    state.issued += 1;
    const here = state.lanes.indexOf(lane);
    const where = item.program === "asked here" ? here : item.program === "asked there" ? 1 - here : undefined;
    state.open.push(state.issued);
    state.owed.push({ call: state.issued, asks: where });
  }
  const call = asks ? state.issued : 1;
  // Other listeners may wait for the request that was just sent.
  if (asks) drainAll(state, rule);
  lane.busySince ||= state.arrived + state.issued / 100;
  lane.running.push({ ...item, began, call, isStuck: false });
}

function drop<T>(list: T[], fits: (one: T) => boolean): void {
  const at = list.findIndex(fits);
  if (at >= 0) list.splice(at, 1);
}
