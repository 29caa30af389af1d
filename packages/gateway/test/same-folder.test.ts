import { describe, expect, it } from "vitest";
import { isSameFolder } from "../src/same-folder.js";
import { clientOf, gatewayOf } from "./attached-clients.js";

describe("SHARE-02 defect G19: the folder of a session in another spelling", () => {
  it.each([
    ["/work", "/work/"],
    ["/work", "//work"],
    ["/work/a", "/work//a"],
    ["/work/a", "/work/./a/."],
    ["/", "//"],
    ["C:\\work", "c:/work/"],
    ["C:\\", "c:\\."],
    ["\\\\server\\share", "\\\\server\\share\\"],
  ])("is the same: %s and %s", (one, other) => {
    expect([isSameFolder(one, other), isSameFolder(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["/work", "/Work"],
    ["/work", "/work/a"],
    ["/work", "/work/a/.."],
    ["/work", "/work\\"],
    ["/a/b", "/ab"],
    ["/work", "/work "],
    ["C:\\work", "D:\\work"],
    ["C:\\work", "/C:/work"],
    ["\\\\server\\share", "/server/share"],
  ])("is another: %s and %s", (one, other) => {
    expect([isSameFolder(one, other), isSameFolder(other, one)]).toEqual([false, false]);
  });

  it("is accepted by a session", async () => {
    const { gateway } = gatewayOf({});
    const { id } = await (await clientOf(gateway)).newSession({ cwd: "/work" });
    const client = await clientOf(gateway);
    const outcome = await client.restore(id, { cwd: "/work/./" });
    expect(outcome.status).toBe("replayed");
    expect(await client.restore(id, { cwd: "/elsewhere" })).toMatchObject({ error: { code: -32602 } });
  });
});
