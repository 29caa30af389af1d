import { useInput } from "ink";
import React, { useRef, useSyncExternalStore } from "react";
import { createKeyReader } from "../model/key.js";
import type { Stage } from "../stage.js";
import { Panel } from "./panel.js";

/** The interactive client: keys go to the stage, and the stage makes the frames. */
export function App({ stage }: { readonly stage: Stage }): React.ReactNode {
  const { text, cursor } = useSyncExternalStore(stage.subscribe, stage.getFrame);
  const reader = useRef(createKeyReader());
  useInput((input, key) => {
    for (const one of reader.current(input, key)) stage.press(one);
  });
  return <Panel text={text} cursor={cursor} />;
}
