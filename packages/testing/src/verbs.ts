import type { AnyStep, Verb, Verbs } from "./script-run.js";
import type { Step } from "./step.js";

/** Steps of a union that have a member with that name. */
export type StepOf<S, Name extends PropertyKey> = Extract<S, Readonly<Record<Name, unknown>>>;

type VerbName =
  | "expect"
  | "answer"
  | "refuse"
  | "call"
  | "start"
  | "finish"
  | "notify"
  | "send"
  | "wait"
  | "die"
  | "silent";

/** Functions for the steps of both sides. */
export const verbs: { readonly [Name in VerbName]: Verb<StepOf<Step, Name>> } & Verbs = {
  async expect({ expect, params, as }, run) {
    const call = await run.take(expect, params);
    if (as !== undefined) run.keep(as, call);
  },
  answer({ answer, to }, run) {
    const call = run.callNamed(to);
    return run.answer(call, typeof answer === "function" ? answer(call) : answer);
  },
  refuse: ({ refuse, to }, run) => run.peer.refuse(run.callNamed(to), refuse),
  call: (step, run) => run.answered(run.ask(step.call, step.params), step, step.call),
  start({ start, params, as }, run) {
    run.start(as, run.ask(start, params));
    return undefined;
  },
  finish: (step, run) => run.answered(run.idOf(step.finish), step, step.finish),
  notify: ({ notify, params }, run) => run.peer.notify(notify, run.paramsOf(params)),
  send: ({ send }, run) => run.peer.send(send),
  wait: async ({ wait }) => await wait,
  die: (_step, run) => run.close({ kind: "local", message: "A step of the script closed the channel." }),
  silent(_step, run) {
    run.fallSilent();
    return undefined;
  },
};

/** Returns the method that a step of either side waits for. */
export function expectedMethod({ expect }: AnyStep): readonly string[] {
  return typeof expect === "string" ? [expect] : [];
}
