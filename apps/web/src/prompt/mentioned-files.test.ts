import { expect, it } from "vitest";
import { linksTo } from "./mentioned-files.js";

const files = ["src/cart.ts", "a b/ü#.ts"];
const addresses = (text: string, folder = "/work") =>
  linksTo(text, folder, files).map((one) => "uri" in one && one.uri);

it.each([
  ["/work", "file:///work/src/cart.ts"],
  ["/my work/", "file:///my%20work/src/cart.ts"],
  ["C:\\my work", "file:///C:/my%20work/src/cart.ts"],
  ["\\\\host\\share", "file://host/share/src/cart.ts"],
  ["/odd\\name", "file:///odd%5Cname/src/cart.ts"],
])("defect E11: a file in %s has the address %s", (folder, address) => {
  expect(addresses("see @src/cart.ts.", folder)).toEqual([address]);
});

it("defect E11: each listed file and folder of a text is linked once, and nothing else", () => {
  expect(addresses('@src/cart.ts:12 @"a b/ü#.ts" @src/ @src/cart.ts')).toEqual([
    "file:///work/src/cart.ts",
    "file:///work/a%20b/%C3%BC%23.ts",
    "file:///work/src/",
  ]);
  expect(addresses("@nothing me@src/cart.ts @media print")).toEqual([]);
});
