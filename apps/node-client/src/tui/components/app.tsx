import { useInput } from "ink";
import React, { useRef, useSyncExternalStore } from "react";
import { createKeyReader } from "../model/key.js";
import type { Stage } from "../stage.js";
import { Panel } from "./panel.js";
import { Printed } from "./printed.js";

/** The interactive client: what was said above, what is being said and typed below. */
export function App({ stage }: { readonly stage: Stage }): React.ReactNode {
  const { page, printed, lines, cursor } = useSyncExternalStore(stage.subscribe, stage.getFrame);
  const reader = useRef(createKeyReader());
  useInput((input, key) => {
    for (const one of reader.current(input, key)) stage.press(one);
  });
  return (
    <>
      <Printed key={page} pieces={printed} />
      <Panel lines={lines} cursor={cursor} />
    </>
  );
}
