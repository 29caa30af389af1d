import { expect, it } from "vitest";
import { cutLines, deathLines } from "./connection-lines.js";

it("the reason of a cut or a loss, which a server may write, has no control sequences on the screen", () => {
  const reason = "It says \u001b[2Kgone\u202e.";
  for (const lines of [cutLines(reason, 80), deathLines(reason, { isRemote: true }, 80)]) {
    const shown = JSON.stringify(lines);
    expect(shown).toContain("It says ␛[2Kgone<U+202E>.");
    expect(shown).not.toMatch(/u001b|\u202e/);
  }
});
