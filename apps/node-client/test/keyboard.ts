import { createSessionState, reduceAll, type SessionEvent } from "@turnkit/session";
import { questionsOf } from "../src/child-sessions.js";
import type { Key } from "../src/tui/model/key.js";
import { press } from "../src/tui/model/press.js";
import { createUi, type Effect, type Surroundings, type Ui } from "../src/tui/model/ui.js";

const context = { width: 80, rows: 20, directory: "/work" };

/** Makes a keyboard for a session in that state. */
export function sit(
  events: readonly SessionEvent[] = [],
  {
    isWorking = false,
    isStarting = false,
    history = [] as readonly string[],
    children = [] as Surroundings["children"],
  } = {},
) {
  let state = reduceAll(createSessionState(), events);
  let ui = createUi(history);
  const effects: Effect[] = [];
  return {
    get ui(): Ui {
      return ui;
    },
    effects,
    happens(...more: readonly SessionEvent[]) {
      state = reduceAll(state, more);
      return this;
    },
    press(...keys: readonly string[]) {
      for (const word of keys) {
        const pressed = press(ui, keyOf(word), {
          state,
          questions: questionsOf({ state, children: [] }),
          children,
          isWorking,
          isStarting,
          context,
        });
        ui = pressed.ui;
        effects.push(...pressed.effects);
      }
      return this;
    },
  };
}

/** Reads a key: `'text`, `"paste`, `^letter`, or the name of a key. */
function keyOf(word: string): Key {
  if (word.startsWith("'")) return { name: "text", text: word.slice(1) };
  if (word.startsWith('"')) return { name: "text", text: word.slice(1), isPaste: true };
  if (word.startsWith("^")) return { name: "ctrl", letter: word.slice(1) };
  return { name: word } as Key;
}
