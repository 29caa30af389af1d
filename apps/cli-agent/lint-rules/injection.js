// Foreign text that becomes code: commands, queries, pages, paths.
import { isConstant, nameOf, pathOf, rule } from "./ast.js";
import { readTexts } from "./texts.js";

const SHELLS = /^(?:exec|execSync|execAsync|execPromise)$/;
const QUERIES = /^(?:query|execute|exec|all|get|run|each|prepare|raw|\$queryRawUnsafe|\$executeRawUnsafe|unsafe)$/;
const SQL = /^\s*(?:select\s|insert\s+into|update\s|delete\s+from|replace\s+into|drop\s|alter\s|create\s|with\s)/i;
const REQUEST =
  /^(?:req|request|ctx|context\.request|event)\.(?:query|params|body|headers|url|path|queryStringParameters|pathParameters)(?:\.|$)/;
const FILES =
  /^(?:readFile|readFileSync|writeFile|writeFileSync|createReadStream|createWriteStream|unlink|unlinkSync|rm|rmSync|sendFile|appendFile|appendFileSync)$/;

/** Returns the parts of an expression that can hold foreign text. */
function parts(node) {
  if (node?.type === "TemplateLiteral") return node.expressions.flatMap(parts);
  if (node?.type === "BinaryExpression") return [...parts(node.left), ...parts(node.right)];
  if (node?.type === "CallExpression" && /^(?:join|resolve|normalize)$/.test(nameOf(node.callee) ?? ""))
    return node.arguments.flatMap(parts);
  return node ? [node] : [];
}

const isOfRequest = (node) => parts(node).some((part) => REQUEST.test(pathOf(part) ?? ""));

const known = new WeakMap();

/** Returns the variables of the file of a rule. */
function textsOf({ sourceCode }) {
  if (!known.has(sourceCode.ast)) known.set(sourceCode.ast, readTexts(sourceCode.ast));
  return known.get(sourceCode.ast);
}

/** Returns `true` for `promisify(exec)`. */
const isPromisedShell = (node) =>
  node.type === "CallExpression" &&
  nameOf(node.callee) === "promisify" &&
  /^exec(?:Sync)?$/.test(nameOf(node.arguments[0]) ?? "");

export const shellInjection = rule("a command line with foreign parts", (report, context) => ({
  CallExpression(node) {
    const texts = textsOf(context);
    const [first, second, third] = node.arguments;
    const name = nameOf(node.callee) ?? "";
    const object = node.callee.type === "MemberExpression" ? pathOf(node.callee.object) : undefined;
    const isPromised = texts.valuesOf(node.callee).some(isPromisedShell);
    const isShell =
      (SHELLS.test(name) || isPromised) &&
      (object === undefined || /(?:child_?process|^cp|shell|^util)$/i.test(object));
    if (isShell && texts.isBuilt(first) && !SQL.test(texts.startOf(first))) {
      report(
        first,
        "A shell runs this line with values in it: a value such as `; rm -rf ~` becomes a command. Use execFile with a list of arguments.",
      );
    }
    if (!/^spawn(?:Sync)?$|^execFile(?:Sync)?$/.test(name)) return;
    const options = [second, third].find((one) => one?.type === "ObjectExpression");
    const usesShell = options?.properties.some(
      (one) => one.type === "Property" && nameOf(one.key) === "shell" && one.value.value !== false,
    );
    const words = [first, ...(second?.type === "ArrayExpression" ? second.elements : [])];
    if (usesShell && words.some((word) => word && !isConstant(word))) {
      report(node, "With `shell`, values of this command become commands themselves. Leave `shell` out.");
    }
  },
}));

export const sqlInjection = rule("a query with foreign parts", (report, context) => ({
  CallExpression(node) {
    const texts = textsOf(context);
    const [first] = node.arguments;
    if (!QUERIES.test(nameOf(node.callee) ?? "") || node.callee.type !== "MemberExpression") return;
    if (texts.isBuilt(first) && SQL.test(texts.startOf(first))) {
      report(
        first,
        "The query has values in its text: a value with a quote changes the query. Pass the values as parameters.",
      );
    }
  },
}));

export const htmlInjection = rule("a page with foreign parts", (report) => ({
  AssignmentExpression({ left, right, operator }) {
    if (!/^\+?=$/.test(operator) || !/^(?:innerHTML|outerHTML|srcdoc)$/.test(nameOf(left) ?? "")) return;
    if (!isConstant(right))
      report(right, "A value becomes HTML here, with the scripts in it. Use textContent, or clean the value first.");
  },
  CallExpression({ callee, arguments: [first, second] }) {
    const html =
      nameOf(callee) === "insertAdjacentHTML" ? second : pathOf(callee) === "document.write" ? first : undefined;
    if (html && !isConstant(html))
      report(html, "A value becomes HTML here, with the scripts in it. Use textContent, or clean the value first.");
  },
}));

export const requestPath = rule("a path out of a request", (report) => ({
  CallExpression({ callee, arguments: [first] }) {
    if (FILES.test(nameOf(callee) ?? "") && isOfRequest(first)) {
      report(
        first,
        "The path comes from a request: `../` in it leads to any file. Resolve it, and check that it is inside the folder.",
      );
    }
    if (/^(?:redirect)$/.test(nameOf(callee) ?? "") && isOfRequest(first)) {
      report(
        first,
        "The target comes from a request, so a link to this page can lead anywhere. Allow known targets only.",
      );
    }
  },
}));

export const dynamicCode = rule("code that is put together", (report) => ({
  NewExpression(node) {
    if (nameOf(node.callee) === "Function" && node.arguments.some((one) => !isConstant(one))) {
      report(node, "A value becomes code here. Use a table of functions, or a parser.");
    }
  },
  CallExpression(node) {
    const [first] = node.arguments;
    if (/^(?:runInThisContext|runInNewContext|runInContext)$/.test(nameOf(node.callee) ?? "") && !isConstant(first)) {
      report(first, "A value becomes code here, and the module vm is no protection.");
    }
  },
}));
