import type { Scene, TurnReport } from "./turn.js";

/** Returns what was wrong with a turn. */
export function faultsOf(
  { exitCode, stdout, stderr, file, methods, updates }: TurnReport,
  scene: Scene,
): readonly string[] {
  const writes = scene === "allow" || scene === "delegate";
  const asked = methods.includes("session/request_permission");
  const wanted: readonly (readonly [holds: boolean, fault: string])[] = [
    [stdout.includes(scene === "delegate" ? "I delegate." : "I write it."), "the text of the model did not arrive"],
    [file === (writes ? "HELLO\n" : undefined), `the file holds ${JSON.stringify(file)}`],
    [scene !== "delegate" || updates.has("subagent_update"), "no child session was announced"],
    [scene !== "delegate" || updates.get("agent_message_chunk") === 2, "the subagent said nothing in its own session"],
    [scene !== "delegate" || /Look at it: done/.test(stdout + stderr), "the end of the subagent was not shown"],
    [scene === "interrupt" || asked, "nobody was asked for permission"],
    [!writes || exitCode === 0, `exit code ${exitCode}: ${stderr.trim()}`],
    [scene !== "deny" || exitCode === 6, `exit code ${exitCode} after the denial: ${stderr.trim()}`],
    [!writes || stdout.includes("That is all."), "the turn did not go on after the tool"],
    [scene !== "interrupt" || methods.includes("session/cancel"), "no cancel was sent"],
    [scene !== "interrupt" || exitCode === 130, `exit code ${exitCode} after the interrupt: ${stderr.trim()}`],
  ];
  return wanted.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}
