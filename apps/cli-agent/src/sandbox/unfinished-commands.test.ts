import { createPathCheck } from "@turnkit/session/paths";
import { createGate } from "@turnkit/testing";
import { expect, it } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { createBubblewrap } from "./bubblewrap.js";
import { type CoveredPathSearch, createCoveredPathSearch } from "./covered-paths.js";
import type { KeptPlans } from "./kept-plans.js";

/** A sandbox that starts nothing. `looks` is called before each search, and may return a problem. */
async function sandboxed(looks: () => Promise<string | undefined>) {
  const root = await createFolder();
  const check = createPathCheck({});
  const real = createCoveredPathSearch(check, {});
  const search: CoveredPathSearch = async (folder, options) => {
    const problem = await looks();
    const { found, problems } = await real(folder, options);
    return { found, problems: problem === undefined ? problems : [...problems, problem] };
  };
  const dropped: number[] = [];
  let kept = 0;
  const plans = {
    prepare: async () => undefined,
    keep: async () => {
      kept += 1;
      const number = kept;
      return async () => void dropped.push(number);
    },
    leftovers: async () => ({ plans: [], problems: [] }),
  } satisfies KeptPlans;
  const options = { roots: [root], home: root, env: {}, check, search, searchTools: real, plans, paths: {} };
  const sandbox = createBubblewrap({ bwrap: "/bin/false", stat: "/bin/false", flags: [] }, options);
  return { dropped, wrap: () => sandbox.wrap({ argv: ["true"], cwd: root, network: false }) };
}

it("defect S18: a failed cleanup is repeated before the next command, also if a later command was cleaned up since", async () => {
  let problem: string | undefined;
  const { dropped, wrap } = await sandboxed(async () => problem);
  const [one, two] = [await wrap(), await wrap()];
  problem = "a folder could not be searched";
  await one.finish();
  problem = undefined;
  await two.finish();
  expect(dropped).toEqual([2]);
  await wrap();
  expect(dropped).toEqual([2, 1]);
});

it("defect S18: the next command waits for every cleanup, and cleanups run one after the other", async () => {
  const gate = createGate();
  let searches = Number.POSITIVE_INFINITY;
  const { dropped, wrap } = await sandboxed(async () => {
    searches -= 1;
    if (searches === 0) await gate.opened;
    return undefined;
  });
  const [one, two] = [await wrap(), await wrap()];
  searches = 1;
  await Promise.all([one.finish(0), two.finish(0)]);
  const third = wrap();
  await new Promise((resolve) => setImmediate(resolve));
  expect(dropped).toEqual([]);
  gate.open();
  await third;
  expect(dropped).toEqual([1, 2]);
});
