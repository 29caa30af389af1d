import type { Answering, Asking, CallCodec, Calls } from "../call.js";

/** The calls that agents make. */
export type AgentCall = "askPermission" | "elicit" | "completeElicitation";

/** The calls that clients make. */
export type ClientCall = Exclude<keyof Calls, AgentCall>;

/** Calls as they are made, by name; absent where a dialect has none. */
export type Asks<K extends keyof Calls = keyof Calls> = { readonly [N in K]?: Asking<Calls[N]> };

/** Calls as they are answered, by name; absent where a dialect has none. */
export type Answers<K extends keyof Calls = keyof Calls> = { readonly [N in K]?: Answering<Calls[N]> };

type Whole<A> = { readonly [N in keyof A & keyof Calls]: CallCodec<Calls[N]> };

/** Whole calls, of their halves. */
// @__NO_SIDE_EFFECTS__
export function whole<A extends object>(asks: A, answers: { readonly [N in keyof A]: object }): Whole<A> {
  const calls: { [name: string]: object } = {};
  for (const [name, ask] of Object.entries(asks)) calls[name] = { ...ask, ...answers[name as keyof A] };
  return calls as Whole<A>;
}

/** Looks one of some calls up as it is made. */
// @__NO_SIDE_EFFECTS__
export function asksBy(asks: Asks): <K extends keyof Calls>(name: K) => Asking<Calls[K]> | undefined {
  return (name) => asks[name];
}

/** Looks one of some calls up as it is answered. */
// @__NO_SIDE_EFFECTS__
export function answersBy(answers: Answers): <K extends keyof Calls>(name: K) => Answering<Calls[K]> | undefined {
  return (name) => answers[name];
}
