import { Text, useCursor } from "ink";
import React from "react";
import type { Frame } from "../stage.js";

/** The lower part of the screen, drawn anew with every frame, with the terminal's own cursor where text is written. */
export function Panel({ text, cursor }: Frame): React.ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(cursor);
  return <Text>{text}</Text>;
}
