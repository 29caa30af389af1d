import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { viewOf } from "./view.js";

it("SHARE-02 SHARE-04 child sessions reach clients that come in the middle of their work", async () => {
  let goOn = (): void => undefined;
  const { gateway } = gatewayOf({
    async prompt(turn) {
      const kid = turn.session.child("Search the tests");
      await kid.say("Looking");
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await kid.say(" further.");
      kid.idle();
      await turn.say("Done.");
    },
  });
  const one = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const turn = one.prompt("Go");
  await expect.poll(() => one.children.length).toBe(1);
  const late = await attach(await clientOf(gateway, "v2"), one.id);
  const old = await attach(await clientOf(gateway, "v1"), one.id);
  goOn();
  await turn.ended;
  const [kid] = one.children;
  await expect.poll(() => late.children.map(({ state }) => viewOf(state))).toEqual([viewOf(kid?.state ?? late.state)]);
  expect(JSON.stringify(viewOf(kid?.state ?? late.state))).toContain("Looking further.");
  await expect.poll(() => viewOf(late.state)).toEqual(viewOf(one.state));
  // A client of version 1 that knows no child sessions gets the conversation of the parent.
  await expect.poll(() => JSON.stringify(viewOf(old.state))).toContain("Done.");
  const last = await attach(await clientOf(gateway, "v2"), one.id);
  expect(last.children.map(({ state }) => viewOf(state))).toEqual(late.children.map(({ state }) => viewOf(state)));
});
