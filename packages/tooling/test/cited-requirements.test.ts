import { describe, expect, it } from "vitest";
import { citationsIn, citedIn, requirementIds } from "../src/cited-requirements.js";

describe("requirement ids in a text", () => {
  it("are spelt out from lists and ranges", () => {
    expect(requirementIds("V1-RPC-05, V1-RPC-22: ids")).toEqual(["V1-RPC-05", "V1-RPC-22"]);
    expect(requirementIds("V1-UPD-05..08: borders")).toEqual(["V1-UPD-05", "V1-UPD-06", "V1-UPD-07", "V1-UPD-08"]);
    expect(requirementIds("V2-TERM-06/07/09")).toEqual(["V2-TERM-06", "V2-TERM-07", "V2-TERM-09"]);
    expect(requirementIds("P-SUB-01/03, P-SUB1-02..03")).toEqual(["P-SUB-01", "P-SUB-03", "P-SUB1-02", "P-SUB1-03"]);
    expect(requirementIds("REM-01, REM-08..09")).toEqual(["REM-01", "REM-08", "REM-09"]);
    expect(requirementIds("SHARE-05 SHARE-08")).toEqual(["SHARE-05", "SHARE-08"]);
    expect(requirementIds("no id: HTTP-A-01, V3-RPC-01, XV1-RPC-01, V1-RPC")).toEqual([]);
  });
});

describe("requirements cited by a test file", () => {
  const cited = (text: string) => [...citedIn({ path: "some.test.ts", text })];

  it("are those of its titles, also of tables and groups", () => {
    expect(cited(`it("V1-RPC-01: one", () => {})`)).toEqual(["V1-RPC-01"]);
    expect(cited(`describe("V1-RPC-02", () => { test("V1-RPC-03", f); })`)).toEqual(["V1-RPC-02", "V1-RPC-03"]);
    expect(cited(`it.each([["V1-RPC-04", 1]])("%s: each", f)`)).toEqual(["V1-RPC-04"]);
    expect(cited(`const rows = [row("V1-RPC-04")]; it.each(rows)("%s", f)`)).toEqual(["V1-RPC-04"]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a test.
    expect(cited("it(`V1-RPC-05 ${name}`, f)")).toEqual(["V1-RPC-05"]);
  });

  it("come with the words that name them", () => {
    const words = citationsIn({ path: "some.test.ts", text: `it("V1-UPD-05..07, V1-UPD-06", f)` });
    expect([...words].map(([id, found]) => [id, ...found])).toEqual([
      ["V1-UPD-05", "V1-UPD-05..07"],
      ["V1-UPD-06", "V1-UPD-05..07", "V1-UPD-06"],
      ["V1-UPD-07", "V1-UPD-05..07"],
    ]);
  });

  it("come with the defects that titles name, which are no requirements", () => {
    const file = {
      path: "some.test.ts",
      text: `it("defect B12: a; defect B3", f); it("defect B4, V1-RPC-02: c", f); it("V1-RPC-01", f)`,
    };
    expect([...citationsIn(file).keys()]).toEqual(["B12", "V1-RPC-02", "B4", "V1-RPC-01"]);
    expect([...citedIn(file)]).toEqual(["V1-RPC-02", "V1-RPC-01"]);
  });

  it("are not those of comments, bodies and other calls", () => {
    expect(cited(`it("nothing", () => { check("V1-RPC-06"); }); // V1-RPC-07`)).toEqual([]);
    expect(cited(`register("V1-RPC-08")`)).toEqual([]);
    expect(cited(`const rows = ["V1-RPC-09"]; it("none", () => check(rows))`)).toEqual([]);
  });
});
