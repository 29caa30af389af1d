import { Static, Text } from "ink";
import React from "react";

/** What is printed once and for good. Pieces are complete lines, as wide as the screen at most. */
export function Printed({ pieces }: { readonly pieces: readonly string[] }): React.ReactNode {
  return (
    <Static items={[...pieces]}>
      {(piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added
        <Text key={index}>{piece}</Text>
      )}
    </Static>
  );
}
