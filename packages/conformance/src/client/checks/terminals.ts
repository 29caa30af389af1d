import { errorOf, membersOf, resultOf, show, textOf } from "../../entry.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import { ClientTrial } from "../client-trial.js";
import { checksIn, expectAlive, type SceneCheck, type Shown, type UsualClient } from "../scene.js";
import { commands, endless, isRunning, type Run, type Runs, wordsOfFirst } from "./terminal-scenes.js";

type RunFacts = Omit<SceneCheck<Shown<Runs>>, "judge" | "tier"> & { readonly tier?: "advisory" };

function terminalCheck(
  facts: RunFacts,
  name: string,
  judge: (run: Run, shown: Shown<Runs>, usual: UsualClient) => void | Promise<void>,
): SceneCheck<Shown<Runs>> {
  return {
    ...{ tier: "mandatory", ...facts },
    judge(shown, usual) {
      const { client, value } = shown;
      if (!client.announces("terminal")) skip("The client offers no terminals.");
      const first = (value.words ?? value.killed)?.created;
      ClientTrial.answered(first, "terminal/create");
      if (first?.kind === "error") {
        if (errorOf(first).code === -32601) fail("the client offers terminals", first.request, first);
        skip("The client refused to run the command.");
      }
      return judge(value[name] as Run, shown, usual);
    },
  };
}

/** Checks of terminals that the client serves. */
export const terminalChecks = [
  ...checksIn(
    commands,
    terminalCheck(
      {
        id: "TKC-TERM-01",
        title: "A client that offers terminals runs a command, and returns its exit code.",
        requirements: ["V1-TERM-02", "V1-TERM-10", "V1-TERM-11", "V1-INIT-09"],
        quick: true,
      },
      "words",
      ({ created, wait }) => {
        expectResult(ClientTrial.answered(wait, "terminal/wait_for_exit", created));
        expect(resultOf(wait).exitCode === 3, `the exit code is ${show(resultOf(wait).exitCode)}`, created, wait);
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-02",
        title: "The words of a command reach it unchanged, and no shell reads them.",
        requirements: ["V1-TERM-05", "V1-TERM-08"],
      },
      "words",
      ({ created, output }) => {
        const lines = textOf(resultOf(output).output).split(/\r?\n/).filter(Boolean);
        expect(JSON.stringify(lines) === JSON.stringify(wordsOfFirst), `the output is ${show(lines)}`, created, output);
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-03",
        title: "The output of a command that has ended has its exit status.",
        requirements: ["V1-TERM-08", "V1-TERM-11"],
      },
      "words",
      ({ created, output }) => {
        const { exitStatus, truncated } = resultOf(output);
        expect(membersOf(exitStatus).exitCode === 3, `exitStatus is ${show(exitStatus)}`, created, output);
        expect(truncated === false, `truncated is ${show(truncated)}`, created, output);
      },
    ),
    terminalCheck(
      { id: "TKC-TERM-04", title: "Two waits for the same command are both answered.", requirements: ["V1-TERM-10"] },
      "words",
      ({ created, others = [] }) => {
        for (const wait of others) expectResult(ClientTrial.answered(wait, "terminal/wait_for_exit", created));
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-05",
        title: "outputByteLimit keeps the newest output, and cuts between characters.",
        requirements: ["V1-TERM-06", "V1-TERM-07"],
      },
      "limited",
      ({ created, output: answer }) => {
        const { output, truncated } = resultOf(answer);
        expect(truncated === true, `truncated is ${show(truncated)}`, created, answer);
        expect(/^é{1,50}$/.test(textOf(output)), `the output is ${show(output)}`, created, answer);
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-06",
        title: "A command gets the variables and the folder that the agent names.",
        tier: "advisory",
        requirements: ["V1-TERM-04"],
      },
      "place",
      ({ created, output }, { client }) => {
        if (created?.kind === "error") skip("The client refused to run the command.");
        const [name, cwd] = textOf(resultOf(output).output).split(/\r?\n/);
        expect(name === "bread" && cwd === client.folder.cwd, `the output is ${show([name, cwd])}`, created, output);
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-07",
        title: "A command does not start in a folder outside of the session's folders.",
        tier: "advisory",
        requirements: ["V1-SESS-12"],
      },
      "away",
      ({ created }) => expectError(ClientTrial.answered(created, "terminal/create")),
    ),
    terminalCheck(
      {
        id: "TKC-TERM-08",
        title: "terminal/create fails for a program that does not exist.",
        tier: "advisory",
        requirements: ["V1-TERM-04"],
      },
      "missing",
      ({ created }) => expectError(ClientTrial.answered(created, "terminal/create")),
    ),
    terminalCheck(
      {
        id: "TKC-TERM-09",
        title: "A terminal that does not exist gives an error.",
        requirements: ["V1-TERM-16", "V1-TERM-13"],
      },
      "unknown",
      ({ created }) => expectError(ClientTrial.answered(created, "terminal/output")),
    ),
    {
      id: "TKC-TERM-10",
      title: "A client that does not offer terminals answers terminal/create with the error -32601.",
      tier: "advisory",
      requirements: ["V1-INIT-18", "V1-INIT-09"],
      judge({ client, value }) {
        if (client.announces("terminal")) skip("The client offers terminals.");
        expectError(ClientTrial.answered(value.words?.created, "terminal/create"), -32601);
      },
    },
  ),
  ...checksIn(
    endless,
    terminalCheck(
      {
        id: "TKC-TERM-11",
        title: "terminal/create is answered while its command runs, and its output has no exit status.",
        requirements: ["V1-TERM-03", "V1-TERM-08"],
        quick: true,
      },
      "killed",
      ({ created, output }) => {
        expectResult(ClientTrial.answered(output, "terminal/output", created));
        expect(
          resultOf(output).exitStatus == null,
          "it has an exit status, but the command still runs",
          created,
          output,
        );
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-12",
        title: "terminal/kill ends a command, and its terminal stays.",
        requirements: ["V1-TERM-12", "V1-TERM-11"],
      },
      "killed",
      ({ created, wait, others: [after] = [] }) => {
        expectResult(ClientTrial.answered(wait, "terminal/wait_for_exit", created));
        expectResult(ClientTrial.answered(after, "terminal/output", created));
        expect(
          membersOf(resultOf(after).exitStatus) !== null && resultOf(after).exitStatus != null,
          "there is no exit status",
          after,
        );
      },
    ),
    terminalCheck(
      { id: "TKC-TERM-13", title: "A released terminal is invalid.", requirements: ["V1-TERM-13", "V1-TERM-16"] },
      "released",
      ({ created, output }) => expectError(ClientTrial.answered(output, "terminal/output", created)),
    ),
    terminalCheck(
      { id: "TKC-TERM-14", title: "terminal/release ends a command that runs.", requirements: ["V1-TERM-13"] },
      "released",
      ({ created, isRunning: runs }) => expect(!runs, "the command still runs", created),
    ),
    terminalCheck(
      {
        id: "TKC-TERM-15",
        title: "A command does not outlive its client.",
        tier: "advisory",
        requirements: ["V1-TERM-17"],
      },
      "left",
      async ({ created }, shown) => {
        if (shown.exit === undefined) skip("The client did not end.");
        expect(!(await isRunning(shown.client, "left")), "the command still runs", created);
      },
    ),
    terminalCheck(
      {
        id: "TKC-TERM-16",
        title: "A client goes on while its terminals run.",
        requirements: ["V1-RPC-18", "V1-TERM-03"],
      },
      "killed",
      (_run, shown, usual) => expectAlive(shown, usual, shown.end),
    ),
  ),
];
