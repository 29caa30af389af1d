import { checkArgument } from "@turnkit/transport";
import { type Histogram, textOfFigures } from "./openmetrics.js";

/** Numbers that only grow, with their descriptions. */
const COUNTERS = {
  prompts: "Prompts of clients.",
  events: "Events that were passed to the storage.",
  storage_failures: "Sessions that could not be stored, and take no more prompts.",
  takeovers: "Sessions that this gateway took over, because their owner had ended.",
  lost_ownerships: "Sessions that this gateway owned, and that another gateway may own now.",
  stored_messages: "Messages that the servers of the engine have stored.",
  stored_bytes: "Size of these messages.",
  broker_reconnects: "Connections to the servers of the engine that were made again.",
} as const;

/** Numbers that grow and shrink. */
const GAUGES = {
  connections: "Clients that are connected.",
  sessions: "Sessions that are open.",
  owned_sessions: "Open sessions whose owner is this gateway.",
  attachments: "Clients that watch sessions, counted for each session.",
  broker_connected: "1 while the servers of the engine are connected, otherwise 0.",
  broker_answers: "1 while the servers of the engine answer, otherwise 0. They may be connected and not answer.",
} as const;

/** Durations, with their bounds in seconds. */
const DURATIONS = {
  turn_seconds: {
    about: "Time from the receipt of a prompt to the end of its turn.",
    bounds: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800, 3_600],
  },
  commit_seconds: {
    about: "Time until the storage had acknowledged all earlier events.",
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
  },
  store_seconds: {
    about: "Time until the servers of the engine had acknowledged a message.",
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
  },
  takeover_seconds: {
    about: "Time from the end of an owner, as this gateway noticed it, to the takeover.",
    bounds: [0.1, 0.5, 1, 2, 5, 10, 15, 20, 30, 60],
  },
} as const;

/** Names of numbers that only grow. */
export type CounterName = keyof typeof COUNTERS;

/** Names of numbers that grow and shrink. */
export type GaugeName = keyof typeof GAUGES;

/** Names of durations. */
export type DurationName = keyof typeof DURATIONS;

/**
 * Figures of gateways and engines in one process. They contain no name, id or text of a client, so the number of
 * figures never grows.
 */
export interface Figures {
  /** Adds to a number that only grows. @param by 1 by default */
  add(name: CounterName, by?: number): void;
  /** Changes a number that grows and shrinks. @param by amount, which may be negative */
  change(name: GaugeName, by: number): void;
  /** Replaces a number that grows and shrinks. */
  set(name: GaugeName, value: number): void;
  /** Records a duration, in milliseconds. */
  took(name: DurationName, ms: number): void;
  /** Returns all figures in the text form of OpenMetrics 1.0. Their names begin with `turnkit_`. */
  text(): string;
}

/**
 * Creates figures that are all 0. Pass them to gateways and engines.
 *
 * @example
 * const figures = createFigures();
 * const gateway = createGateway({ agent, figures });
 * const answer = new Response(figures.text(), { headers: { "Content-Type": "application/openmetrics-text; version=1.0.0; charset=utf-8" } });
 */
export function createFigures(): Figures {
  const counters = zeros(COUNTERS);
  const gauges = zeros(GAUGES);
  const names = Object.keys(DURATIONS) as DurationName[];
  const histograms = new Map(
    names.map((name): [DurationName, Histogram] => {
      const { bounds } = DURATIONS[name];
      return [name, { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }];
    }),
  );
  return {
    add(name, by = 1) {
      counters[name] += by;
    },
    change(name, by) {
      gauges[name] += by;
    },
    set(name, value) {
      gauges[name] = value;
    },
    took(name, ms) {
      const histogram = histograms.get(name);
      if (histogram === undefined) return;
      const seconds = Math.max(0, ms / 1_000);
      const at = histogram.bounds.findIndex((bound) => seconds <= bound);
      const slot = at < 0 ? histogram.bounds.length : at;
      histogram.counts[slot] = (histogram.counts[slot] ?? 0) + 1;
      histogram.sum += seconds;
    },
    text: () =>
      textOfFigures({
        counters: described(COUNTERS, counters),
        gauges: described(GAUGES, gauges),
        histograms: [...histograms].map(([name, histogram]) => ({ name, about: DURATIONS[name].about, histogram })),
      }),
  };
}

function zeros<Name extends string>(names: { readonly [name in Name]: string }): Record<Name, number> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<Name, number>;
}

const described = <Name extends string>(abouts: { readonly [name in Name]: string }, values: Record<Name, number>) =>
  (Object.keys(abouts) as Name[]).map((name) => ({ name, about: abouts[name], value: values[name] }));

/** @throws TypeError for a value that is not made by {@link createFigures} */
export function checkFigures(call: string, figures: Figures | undefined): void {
  const isValid = figures === undefined || typeof figures?.took === "function";
  checkArgument(isValid, `${call} figures`, { got: figures, remedy: "pass the result of createFigures()" });
}
